using UnityEngine;
using UnityEngine.Events;

namespace LanternKeep
{
    public enum MovementMode
    {
        Walking,
        Sneaking,
        Running,
    }

    /// <summary>Moves the keeper and puts them back at the start when asked.</summary>
    [RequireComponent(typeof(Rigidbody))]
    public class PlayerController : MonoBehaviour
    {
        [Header("Movement")]
        [SerializeField, Range(0f, 20f)] private float moveSpeed = 5f;
        [SerializeField] private float jumpForce = 4f;
        [SerializeField] private MovementMode startMode = MovementMode.Walking;
        [SerializeField] private LayerMask groundMask;

        [Header("Health")]
        [Tooltip("Health after a respawn, and the most that Heal can restore to.")]
        [SerializeField] private int maxHealth = 10;

        [Header("References")]
        [Tooltip("Where Respawn moves the player. Empty means the position at start.")]
        [SerializeField] private Transform spawnPoint;
        [SerializeField] private LanternFlicker heldLantern;
        [SerializeField] private UnityEvent onRespawned = new UnityEvent();

        private Rigidbody body;
        private Vector3 startPosition;
        private MovementMode mode;

        public static PlayerController Instance { get; private set; }

        public int Health { get; private set; }

        private void Awake()
        {
            Instance = this;
            body = GetComponent<Rigidbody>();
            startPosition = transform.position;
            mode = startMode;
            Health = maxHealth;
        }

        private void FixedUpdate()
        {
            var input = new Vector3(Input.GetAxis("Horizontal"), 0f, Input.GetAxis("Vertical"));
            var step = Vector3.ClampMagnitude(input, 1f) * (moveSpeed * SpeedFactor() * Time.fixedDeltaTime);
            body.MovePosition(body.position + step);

            if (Input.GetButton("Jump") && IsGrounded())
            {
                body.AddForce(Vector3.up * jumpForce, ForceMode.Impulse);
            }
        }

        public void Respawn()
        {
            body.velocity = Vector3.zero;
            body.position = spawnPoint != null ? spawnPoint.position : startPosition;
            Health = maxHealth;
            if (heldLantern != null)
            {
                heldLantern.SetLit(true);
            }
            onRespawned.Invoke();
        }

        public void Heal(int amount)
        {
            Health = Mathf.Clamp(Health + amount, 0, maxHealth);
        }

        private bool IsGrounded()
        {
            return Physics.CheckSphere(transform.position, 0.1f, groundMask);
        }

        private float SpeedFactor()
        {
            switch (mode)
            {
                case MovementMode.Sneaking:
                    return 0.5f;
                case MovementMode.Running:
                    return 1.6f;
                default:
                    return 1f;
            }
        }
    }
}
