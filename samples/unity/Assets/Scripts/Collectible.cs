using UnityEngine;
using UnityEngine.Events;

namespace LanternKeep
{
    public enum CollectibleKind
    {
        Coin,
        Key,
        Relic,
    }

    /// <summary>Something the player picks up by touching it.</summary>
    public class Collectible : MonoBehaviour
    {
        [SerializeField] private CollectibleKind kind = CollectibleKind.Coin;
        [SerializeField, Min(0)] private int value = 1;

        [Tooltip("Lit when this is collected. May be empty.")]
        [SerializeField] private LanternFlicker lantern;
        [SerializeField] private UnityEvent onCollected = new UnityEvent();

        private bool collected;

        private void OnTriggerEnter(Collider other)
        {
            if (!collected && other.CompareTag("Player"))
            {
                Collect();
            }
        }

        public void Collect()
        {
            collected = true;
            GameState.AddScore(kind == CollectibleKind.Relic ? value * 2 : value);
            if (lantern != null)
            {
                lantern.SetLit(true);
            }
            onCollected.Invoke();
        }
    }
}
