using UnityEngine;

namespace LanternKeep
{
    public enum FlickerStyle
    {
        Calm,
        Nervous,
        Storm,
    }

    /// <summary>Makes the light of a lantern breathe, and lights it or puts it out.</summary>
    public class LanternFlicker : MonoBehaviour
    {
        [SerializeField] private Light flameLight;
        [SerializeField] private LanternSettings settings;
        [SerializeField] private FlickerStyle style = FlickerStyle.Calm;
        [SerializeField] private bool startsLit = true;

        [Tooltip("Shifts the flicker in time, so that neighbours do not pulse together.")]
        [SerializeField, Range(0f, 1f)] private float flickerOffset;

        [Tooltip("Brightness at the points of one cycle.")]
        [SerializeField] private float[] pulseWeights = { 0.6f, 1f, 0.8f };

        private float baseIntensity;

        public bool IsLit { get; private set; }

        private void Awake()
        {
            baseIntensity = flameLight.intensity;
            SetLit(startsLit);
        }

        private void Update()
        {
            if (!IsLit || pulseWeights.Length == 0)
            {
                return;
            }

            var speed = settings.flickerSpeed * (1 + (int)style);
            var phase = Mathf.Repeat(Time.time * speed + flickerOffset, 1f) * pulseWeights.Length;
            var from = (int)phase % pulseWeights.Length;
            var to = (from + 1) % pulseWeights.Length;
            flameLight.intensity = baseIntensity * Mathf.Lerp(pulseWeights[from], pulseWeights[to], phase - (int)phase);
        }

        public void SetLit(bool lit)
        {
            if (IsLit != lit)
            {
                GameState.ReportLantern(lit);
            }
            IsLit = lit;
            flameLight.enabled = lit;
        }
    }
}
