using System;
using UnityEngine;

namespace LanternKeep
{
    /// <summary>Values that all lanterns of one kind share.</summary>
    [CreateAssetMenu(menuName = "Lantern Keep/Lantern Settings")]
    public class LanternSettings : ScriptableObject
    {
        [Serializable]
        public struct FuelTank
        {
            public float capacity;
            public int refillCost;
            public string note;
        }

        [Min(0f)] public float flickerSpeed = 3f;
        public Color tint = Color.white;
        public string displayName = "Lantern";

        [Tooltip("Seconds until the flame shrinks, for each size of wick.")]
        public int[] burnTimes = { 60, 120 };

        public FuelTank fuel;
    }
}
