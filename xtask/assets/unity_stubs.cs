// What the script templates use of Unity and NUnit, declared and not done: enough for a compiler to
// read them. Signatures are those of the public documentation.

namespace UnityEngine
{
    using System;

    public class Object
    {
        public string name { get; set; }
    }

    public class Component : Object
    {
    }

    public class Behaviour : Component
    {
        public bool enabled { get; set; }
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public class ScriptableObject : Object
    {
    }

    [AttributeUsage(AttributeTargets.Class)]
    public sealed class CreateAssetMenuAttribute : Attribute
    {
        public string menuName { get; set; }
        public string fileName { get; set; }
        public int order { get; set; }
    }

    public class GUIContent
    {
    }

    public class GUILayoutOption
    {
    }
}

namespace UnityEditor
{
    using System;
    using UnityEngine;

    public class SerializedObject
    {
        public void Update()
        {
        }

        public bool ApplyModifiedProperties()
        {
            return false;
        }
    }

    public class Editor : ScriptableObject
    {
        public SerializedObject serializedObject
        {
            get { return null; }
        }

        public virtual void OnInspectorGUI()
        {
        }

        public bool DrawDefaultInspector()
        {
            return false;
        }
    }

    public class EditorWindow : ScriptableObject
    {
        public static T GetWindow<T>(string title) where T : EditorWindow
        {
            return null;
        }
    }

    public sealed class EditorGUILayout
    {
        public static void LabelField(string label, params GUILayoutOption[] options)
        {
        }
    }

    [AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
    public sealed class MenuItem : Attribute
    {
        public MenuItem(string itemName)
        {
        }
    }

    [AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
    public class CustomEditor : Attribute
    {
        public CustomEditor(Type inspectedType)
        {
        }
    }
}

namespace NUnit.Framework
{
    using System;

    [AttributeUsage(AttributeTargets.Method)]
    public class TestAttribute : Attribute
    {
    }

    public abstract class Assert
    {
        public static void Inconclusive(string message)
        {
        }
    }
}
