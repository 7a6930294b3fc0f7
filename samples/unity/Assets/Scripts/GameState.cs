using System;

namespace LanternKeep
{
    /// <summary>State of one play session. Not a component: it outlives every scene.</summary>
    public static class GameState
    {
        public static event Action<int> ScoreChanged;

        public static int Score { get; private set; }

        public static int LitLanterns { get; private set; }

        public static void AddScore(int points)
        {
            Score += points;
            ScoreChanged?.Invoke(Score);
        }

        public static void ReportLantern(bool lit)
        {
            LitLanterns = Math.Max(0, LitLanterns + (lit ? 1 : -1));
        }

        public static void Reset()
        {
            Score = 0;
            LitLanterns = 0;
        }
    }
}
