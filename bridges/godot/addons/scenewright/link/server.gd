@tool
extends RefCounted
## Frames on a port of this machine: a length of four bytes, then JSON-RPC in UTF-8.
##
## Sockets are read and written in [method _pump] by whoever comes first: the main thread, which answers
## most requests and lingers a moment for the next one, or a thread, which answers health checks while
## the main thread is busy.
##
## The token of the announcement never goes through the socket. A client sends random bytes; the answer is
## ours and a proof of the token over both; then the client proves it in turn. Nothing else is answered
## before that, so that neither side says anything to who cannot read the announcement.

const VERSION := "0.1.0"
const PROTOCOL := 2

const LOOPBACK := "127.0.0.1"
const FOLDER := "res://.godot/scenewright"
const MAX_FRAME := 16 * 1024 * 1024
## The longest frame of a client that has not proved the token.
const MAX_FIRST_FRAME := 4096
## Random bytes of each side, for proofs that hold once.
const NONCE_BYTES := 32
const MAX_SESSIONS := 16
const MAX_TRIES := 3
## Requests that wait for the main thread; more are refused.
const MAX_WAITING := 256
## A client that reads nothing is let go when so much waits for it.
const MAX_UNSENT := 64 * 1024 * 1024
## How long a client may take for its proof, and for the rest of a frame.
const PATIENCE_MSEC := 5000
## The main thread stays with a client so long after a request, and so long without any.
const LINGER_USEC := 4000
const IDLE_USEC := 500
## What the thread sleeps, with clients and without.
const NAP_MSEC := 4
const LONG_NAP_MSEC := 50

const NOT_A_REQUEST := -32600
const NO_SUCH_METHOD := -32601
const BAD_PARAMS := -32602
const NOT_KNOWN := 1000
const REFUSED := 1002


class Session:
	extends RefCounted
	var peer: StreamPeerTCP
	var is_known := false
	var is_open := true
	var tries := 0
	## What both sides drew; empty until there is a challenge, and again once it was answered.
	var asked := PackedByteArray()
	var drawn := PackedByteArray()
	## When the client came, or the first byte of a frame that is not whole.
	var since := 0
	var inbox := PackedByteArray()
	var outbox := PackedByteArray()


## Whether anybody is connected who proved the token; read on every frame.
var has_clients := false

## Called on the main thread when the first client has proved the token, so that nobody has to look.
var wake: Callable

var _kind := ""
var _answer: Callable
var _token := ""
var _file := ""
var _project := ""
var _tcp := TCPServer.new()
var _thread: Thread
var _lock := Mutex.new()
var _sessions: Array[Session] = []
var _waiting: Array[Dictionary] = []
var _is_over := false
var _last_turn := 0
var _controls := RegEx.create_from_string("[\\x00-\\x1f]")
var _vertical := RegEx.create_from_string("((?<!\\\\)(?:\\\\\\\\)*)\\\\v")


## Listens on a free port and says where in a file that only this user can read. [param answer] is
## called as [code](method, params, session)[/code] on the main thread, may wait, and gives a dictionary
## with [code]result[/code] or [code]error[/code].
func start(kind: String, answer: Callable) -> Error:
	_kind = kind
	_answer = answer
	_project = project_path()
	_token = Crypto.new().generate_random_bytes(32).hex_encode()
	_last_turn = Time.get_ticks_msec()
	var error := _tcp.listen(0, LOOPBACK)
	if error != OK:
		return error
	error = _announce()
	if error != OK:
		_tcp.stop()
		return error
	_thread = Thread.new()
	return _thread.start(_attend)


## Ends every connection and takes the file away.
func stop() -> void:
	_lock.lock()
	_is_over = true
	_lock.unlock()
	if _thread != null:
		_thread.wait_to_finish()
		_thread = null
	for session in _sessions:
		_end(session)
	_sessions.clear()
	has_clients = false
	_tcp.stop()
	if _file != "":
		DirAccess.remove_absolute(_file)
		_file = ""


## One turn of the main thread.
func serve() -> void:
	_last_turn = Time.get_ticks_msec()
	if not has_clients:
		return
	var now := Time.get_ticks_usec()
	var until := now + LINGER_USEC
	var idle_since := now
	var has_served := false
	while true:
		_lock.lock()
		_pump()
		var requests := _waiting
		_waiting = []
		_lock.unlock()
		for request: Dictionary in requests:
			_run(request)
		now = Time.get_ticks_usec()
		if not requests.is_empty():
			has_served = true
			idle_since = now
		if not has_served or now > until or now - idle_since > IDLE_USEC:
			break
		if requests.is_empty():
			OS.delay_usec(10)


## Tells every client something that it did not ask for.
func tell(event: String, params: Dictionary) -> void:
	if not has_clients:
		return
	params["event"] = event
	var frame := _frame({"jsonrpc": "2.0", "method": "event", "params": params})
	_lock.lock()
	for session in _sessions:
		if session.is_known:
			_send(session, frame)
	_lock.unlock()


## The folder of the project on this machine, without the last slash.
static func project_path() -> String:
	return ProjectSettings.globalize_path("res://").trim_suffix("/")


static func failed(message: String, code := REFUSED, data: Variant = null) -> Dictionary:
	var error := {"code": code, "message": message}
	if data != null:
		error["data"] = data
	return {"error": error}


func _run(request: Dictionary) -> void:
	var session: Session = request["session"]
	var said: Dictionary = await _answer.call(request["method"], request["params"], session)
	var frame := _frame(_reply(request["id"], said))
	if frame.size() > MAX_FRAME:
		var refusal := failed("the answer has %d bytes, more than a frame may have" % frame.size())
		frame = _frame(_reply(request["id"], refusal))
	_lock.lock()
	_send(session, frame)
	_lock.unlock()


func _attend() -> void:
	while true:
		_lock.lock()
		if _is_over:
			_lock.unlock()
			return
		_pump()
		var is_quiet := _sessions.is_empty()
		_lock.unlock()
		OS.delay_msec(LONG_NAP_MSEC if is_quiet else NAP_MSEC)


## Takes new clients, reads and writes what there is. Under the lock.
func _pump() -> void:
	while _tcp.is_connection_available():
		var session := Session.new()
		session.peer = _tcp.take_connection()
		session.since = Time.get_ticks_msec()
		if _sessions.size() >= MAX_SESSIONS:
			session.peer.disconnect_from_host()
			continue
		session.peer.set_no_delay(true)
		_sessions.append(session)
	var is_anybody := false
	for session in _sessions:
		_read(session)
		_write(session)
		is_anybody = is_anybody or (session.is_open and session.is_known)
	for at in range(_sessions.size() - 1, -1, -1):
		if not _sessions[at].is_open:
			_sessions.remove_at(at)
	has_clients = is_anybody


func _read(session: Session) -> void:
	session.peer.poll()
	if session.peer.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		_end(session)
		return
	var available := session.peer.get_available_bytes()
	if available > 0:
		if session.inbox.is_empty() and session.is_known:
			session.since = Time.get_ticks_msec()
		var got := session.peer.get_partial_data(mini(available, 1024 * 1024))
		if got[0] != OK:
			_end(session)
			return
		session.inbox.append_array(got[1])
		_take_frames(session)
	var is_late := Time.get_ticks_msec() - session.since > PATIENCE_MSEC
	if is_late and (not session.is_known or not session.inbox.is_empty()):
		_end(session)


func _take_frames(session: Session) -> void:
	var at := 0
	while session.is_open and session.inbox.size() - at >= 4:
		var length := session.inbox.decode_u32(at)
		var most := MAX_FRAME if session.is_known else MAX_FIRST_FRAME
		if length > most:
			# A browser's first words are such a length as well; who has no token hears nothing.
			if session.is_known:
				_send(session, _frame(_reply(null, failed("a frame of %d bytes" % length, NOT_A_REQUEST))))
				_write(session)
			_end(session)
			return
		if session.inbox.size() - at - 4 < length:
			break
		var text := session.inbox.slice(at + 4, at + 4 + length).get_string_from_utf8()
		at += 4 + length
		session.since = Time.get_ticks_msec()
		_take(session, text)
	if at > 0:
		session.inbox = session.inbox.slice(at)


func _take(session: Session, text: String) -> void:
	var json := JSON.new()
	var is_read := json.parse(text) == OK and json.data is Dictionary
	var message: Dictionary = json.data if is_read else {}
	var id: Variant = message.get("id")
	# JSON here has no whole numbers, and a client compares what it sent.
	if id is float and id == floorf(id):
		id = int(id)
	var method: Variant = message.get("method")
	var params: Variant = message.get("params")
	if params == null:
		params = {}
	if not method is String or not params is Dictionary:
		if session.is_known:
			_send(session, _frame(_reply(id, failed("this is no request", NOT_A_REQUEST))))
		else:
			_end(session)
		return
	if method == "session.challenge":
		_challenge(session, id, params)
	elif method == "session.authenticate":
		_authenticate(session, id, params)
	elif not session.is_known:
		_refuse(session, id)
	elif method == "transport.healthCheck":
		var busy := Time.get_ticks_msec() - _last_turn
		_send(session, _frame(_reply(id, {"result": {"status": "ok", "busyMs": busy}})))
	elif _waiting.size() >= MAX_WAITING:
		_send(session, _frame(_reply(id, failed("too many requests wait already"))))
	else:
		_waiting.append({"session": session, "id": id, "method": method, "params": params})


## Answers a client's random bytes with ours, and with a proof over both.
func _challenge(session: Session, id: Variant, params: Dictionary) -> void:
	var asked := _bytes(params.get("nonce"))
	if session.is_known or asked.size() != NONCE_BYTES:
		_refuse(session, id)
		return
	session.asked = asked
	session.drawn = Crypto.new().generate_random_bytes(NONCE_BYTES)
	_send(session, _frame(_reply(id, {"result": {
		"protocol": PROTOCOL,
		"nonce": session.drawn.hex_encode(),
		"proof": _proof(session, "server").hex_encode(),
	}})))


## Believes a client that proves the token over what both drew. A proof is looked at once.
func _authenticate(session: Session, id: Variant, params: Dictionary) -> void:
	var is_right := not session.drawn.is_empty() and Crypto.new().constant_time_compare(
			_proof(session, "client"), _bytes(params.get("proof")))
	session.asked = PackedByteArray()
	session.drawn = PackedByteArray()
	if not is_right:
		_refuse(session, id)
		return
	session.is_known = true
	if not has_clients:
		_last_turn = Time.get_ticks_msec()
		has_clients = true
		if wake.is_valid():
			wake.call_deferred()
	_send(session, _frame(_reply(id, {"result": {
		"sessionId": str(session.get_instance_id()),
		"protocol": PROTOCOL,
		"version": VERSION,
		"kind": _kind,
		"pid": OS.get_process_id(),
		"project": _project,
		"godot": Engine.get_version_info()["string"],
	}})))


## The proof of one side: who says it and to whom is in it, so that it is of no use anywhere else. Each part
## counts with its length, so that no two lists of parts are alike.
func _proof(session: Session, role: String) -> PackedByteArray:
	var said := PackedByteArray()
	for part: PackedByteArray in [
		"scenewright link".to_utf8_buffer(),
		str(PROTOCOL).to_utf8_buffer(),
		role.to_utf8_buffer(),
		session.asked,
		session.drawn,
		_project.to_utf8_buffer(),
		str(OS.get_process_id()).to_utf8_buffer(),
		str(_tcp.get_local_port()).to_utf8_buffer(),
	]:
		var length := PackedByteArray()
		length.resize(8)
		length.encode_s64(0, part.size())
		said.append_array(length)
		said.append_array(part)
	return Crypto.new().hmac_digest(HashingContext.HASH_SHA256, _token.to_utf8_buffer(), said)


## What hexadecimal digits say; nothing where they are no such text.
func _bytes(digits: Variant) -> PackedByteArray:
	if not digits is String or (digits as String).length() != 2 * NONCE_BYTES:
		return PackedByteArray()
	var text: String = digits
	# A sign counts as a part of a number, and no byte has one.
	if not text.is_valid_hex_number() or text[0] in "+-":
		return PackedByteArray()
	return text.hex_decode()


## Who is wrong three times has to come again.
func _refuse(session: Session, id: Variant) -> void:
	_send(session, _frame(_reply(id, failed("Authentication failed", NOT_KNOWN))))
	session.tries += 1
	if session.tries >= MAX_TRIES:
		_write(session)
		_end(session)


func _reply(id: Variant, said: Dictionary) -> Dictionary:
	said["jsonrpc"] = "2.0"
	said["id"] = id
	return said


func _frame(message: Dictionary) -> PackedByteArray:
	var said := JSON.stringify(message)
	# Godot leaves most control characters as they are, and writes one as no other reader reads it.
	if _controls.search(said) != null:
		said = _controls.sub(said, "\uFFFD", true)
	if said.contains("\\v"):
		said = _vertical.sub(said, "$1\\u000b", true)
	var text := said.to_utf8_buffer()
	var frame := PackedByteArray()
	frame.resize(4)
	frame.encode_u32(0, text.size())
	frame.append_array(text)
	return frame


func _send(session: Session, frame: PackedByteArray) -> void:
	if not session.is_open:
		return
	session.outbox.append_array(frame)
	if session.outbox.size() > MAX_UNSENT:
		_end(session)
		return
	_write(session)


func _write(session: Session) -> void:
	if session.outbox.is_empty() or not session.is_open:
		return
	var put := session.peer.put_partial_data(session.outbox)
	if put[0] != OK:
		_end(session)
	elif put[1] == session.outbox.size():
		session.outbox = PackedByteArray()
	elif put[1] > 0:
		session.outbox = session.outbox.slice(put[1])


func _end(session: Session) -> void:
	session.is_open = false
	session.peer.disconnect_from_host()


func _announce() -> Error:
	var folder := ProjectSettings.globalize_path(FOLDER)
	var error := DirAccess.make_dir_recursive_absolute(folder)
	if error != OK:
		return error
	var path := folder.path_join("%s-%d.json" % [_kind, OS.get_process_id()])
	# What lies there is of a process that is gone, or a trap: a link, a pipe, a file of somebody else.
	DirAccess.remove_absolute(path)
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return FileAccess.get_open_error()
	file.close()
	# Nobody else can read it before the token is in it. What is opened to be written anew would be
	# another file in the end.
	error = FileAccess.set_unix_permissions(path, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER)
	if error != OK and OS.get_name() != "Windows":
		DirAccess.remove_absolute(path)
		return error
	file = FileAccess.open(path, FileAccess.READ_WRITE)
	if file == null:
		return FileAccess.get_open_error()
	file.store_string(JSON.stringify({
		"protocol": PROTOCOL,
		"version": VERSION,
		"kind": _kind,
		"pid": OS.get_process_id(),
		"space": _process_space(),
		"port": _tcp.get_local_port(),
		"token": _token,
		"project": _project,
	}))
	file.close()
	_file = path
	return OK


## In which space process ids count, where the system has several (Flatpak, containers).
static func _process_space() -> String:
	var folder := DirAccess.open("/proc/self/ns")
	if folder == null or not folder.has_method("read_link"):
		return ""
	var name: Variant = folder.call("read_link", "pid")
	return name if name is String else ""
