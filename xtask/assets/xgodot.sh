#!/bin/sh
# xgodot ARGS...: Godot with software OpenGL on a virtual display of its own, for screenshots.
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
root="$here/sysroot"
libraries=$(echo "$root"/usr/lib/*-linux-gnu)
number=$((100 + $$ % 800))

# Xvfb finds xkbcomp in ./xkbbin, so it is started in this folder.
(
    cd "$here" &&
        exec "$root/usr/bin/Xvfb" ":$number" -screen 0 "${XGODOT_SCREEN:-1280x720x24}" \
            -xkbdir "$root/usr/share/X11/xkb" -nolisten tcp >/dev/null 2>&1
) &
display=$!
trap 'kill $display 2>/dev/null' EXIT INT TERM

tries=0
while [ ! -S "/tmp/.X11-unix/X$number" ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done

export DISPLAY=":$number" LIBGL_ALWAYS_SOFTWARE=1
export LIBGL_DRIVERS_PATH="$libraries/dri" GBM_BACKENDS_PATH="$libraries/gbm"
export __EGL_VENDOR_LIBRARY_DIRS="$root/usr/share/glvnd/egl_vendor.d"
export XKB_CONFIG_ROOT="$root/usr/share/X11/xkb"
"$root/usr/bin/godot" --rendering-driver opengl3 --rendering-method gl_compatibility \
    --audio-driver Dummy "$@"
