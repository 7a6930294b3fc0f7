//! Programs that people talk to.

use crate::clients::recipe::{EMPTY, Package, Recipe, Start, Told};

pub(super) const PROGRAMS: &[Recipe] = &[
    Recipe {
        name: "claude-code",
        title: "Claude Code",
        package: Package::Npm(&["@anthropic-ai/claude-code@2.1.328"]),
        told: Told::Install("claude-code"),
        reads_project: true,
        env: &[
            ("ANTHROPIC_BASE_URL", "{model}"),
            ("ANTHROPIC_API_KEY", "dummy"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
        ],
        start: Start::Program(
            "claude",
            &["-p", "{prompt}", "--allowedTools", "mcp__scenewright", "--max-turns", "40"],
        ),
        in_ci: true,
        ..EMPTY
    },
    Recipe {
        name: "codex",
        title: "Codex",
        package: Package::Npm(&["@openai/codex@0.169.0"]),
        told: Told::Install("codex"),
        reads_project: true,
        files: &[(
            "~/.codex/config.toml",
            "model = \"gpt-5.4\"\nmodel_provider = \"fake\"\ncheck_for_update_on_startup = false\n\n\
             [model_providers.fake]\nname = \"fake\"\nbase_url = \"{model}/v1\"\nwire_api = \"responses\"\n\
             env_key = \"FAKE_KEY\"\nsupports_websockets = false\n\n\
             [projects.\"{project}\"]\ntrust_level = \"trusted\"\n\n[analytics]\nenabled = false\n\n\
             [feedback]\nenabled = false\n",
        )],
        env: &[("FAKE_KEY", "dummy")],
        start: Start::Program(
            "codex",
            &[
                "exec",
                "--skip-git-repo-check",
                "--dangerously-bypass-approvals-and-sandbox",
                "{prompt}",
            ],
        ),
        in_ci: true,
        ..EMPTY
    },
    Recipe {
        name: "gemini",
        title: "Gemini CLI",
        package: Package::Npm(&["@google/gemini-cli@0.61.0"]),
        told: Told::Install("gemini"),
        reads_project: true,
        files: &[(
            "~/.gemini/settings.json",
            r#"{
  "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "general": { "disableAutoUpdate": true, "enableAutoUpdate": false, "disableUpdateNag": true }
}
"#,
        )],
        env: &[
            ("GEMINI_API_KEY", "dummy"),
            ("GOOGLE_GEMINI_BASE_URL", "{model}"),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ],
        start: Start::Program("gemini", &["-p", "{prompt}", "--yolo", "-m", "gemini-2.5-pro"]),
        in_ci: true,
        ..EMPTY
    },
    Recipe {
        name: "qwen",
        title: "Qwen Code",
        package: Package::Npm(&["@qwen-code/qwen-code@0.24.4"]),
        told: Told::Install("qwen"),
        repeats_errors: true,
        reads_project: true,
        files: &[(
            "~/.qwen/settings.json",
            r#"{
  "security": { "auth": { "selectedType": "openai" }, "folderTrust": { "enabled": false } },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false },
  "general": { "disableAutoUpdate": true, "enableAutoUpdate": false }
}
"#,
        )],
        env: &[
            ("OPENAI_API_KEY", "dummy"),
            ("OPENAI_BASE_URL", "{model}/v1"),
            ("OPENAI_MODEL", "fake-model"),
        ],
        start: Start::Program("qwen", &["-p", "{prompt}", "--yolo"]),
        in_ci: true,
        ..EMPTY
    },
    Recipe {
        name: "opencode",
        title: "opencode",
        package: Package::Npm(&["opencode-ai@1.18.33"]),
        told: Told::Install("opencode"),
        reads_project: true,
        files: &[("~/.config/opencode/opencode.json", OPENCODE)],
        env: &[
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
            ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1"),
            ("OPENCODE_DISABLE_SHARE", "1"),
        ],
        start: Start::Program("opencode", &["run", "-m", "fake/fake-model", "{prompt}"]),
        in_ci: true,
        ..EMPTY
    },
    Recipe {
        name: "kilo",
        title: "Kilo Code CLI",
        package: Package::Npm(&["@kilocode/cli@7.7.7"]),
        told: Told::Install("kilo"),
        reads_project: true,
        files: &[("~/.config/kilo/kilo.json", OPENCODE)],
        env: &[
            ("KILO_DISABLE_MODELS_FETCH", "1"),
            ("KILO_DISABLE_AUTOUPDATE", "1"),
            ("KILO_DISABLE_LSP_DOWNLOAD", "1"),
            ("KILO_DISABLE_TELEMETRY", "1"),
            ("KILO_TELEMETRY", "0"),
        ],
        start: Start::Program("kilo", &["run", "--auto", "-m", "fake/fake-model", "{prompt}"]),
        ..EMPTY
    },
    Recipe {
        name: "copilot",
        title: "Copilot CLI",
        package: Package::Npm(&["@github/copilot@1.0.102"]),
        told: Told::Install("copilot"),
        reads_project: true,
        env: &[
            ("COPILOT_PROVIDER_BASE_URL", "{model}/v1"),
            ("COPILOT_PROVIDER_TYPE", "openai"),
            ("COPILOT_PROVIDER_API_KEY", "dummy"),
            ("COPILOT_MODEL", "fake-model"),
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_AUTO_UPDATE", "false"),
        ],
        start: Start::Program(
            "copilot",
            &[
                "-p",
                "{prompt}",
                "--allow-all-tools",
                "--trust-folder",
                "--disable-client-telemetry",
                "--no-auto-update",
            ],
        ),
        in_ci: true,
        ..EMPTY
    },
    Recipe {
        name: "cline",
        title: "Cline CLI",
        package: Package::Npm(&["cline@3.0.65"]),
        told: Told::Install("cline"),
        env: &[("CLINE_TELEMETRY_DISABLED", "1")],
        before: &["auth", "-p", "openai", "-k", "dummy", "-m", "fake-model", "-b", "{model}/v1"],
        start: Start::Program("cline", &["--json", "{prompt}"]),
        in_ci: true,
        ..EMPTY
    },
    Recipe {
        name: "continue",
        title: "Continue CLI",
        package: Package::Npm(&["@continuedev/cli@1.5.47"]),
        told: Told::Install("continue"),
        files: &[(
            "~/.continue/config.yaml",
            "name: local\nversion: 0.0.1\nschema: v1\nmodels:\n  - name: fake\n    provider: openai\n    model: gpt-4o\n    \
             apiBase: {model}/v1\n    apiKey: dummy\n    roles: [chat]\n    capabilities: [tool_use, image_input]\n",
        )],
        env: &[
            ("CONTINUE_TELEMETRY_ENABLED", "0"),
            ("CONTINUE_CLI_ENABLE_TELEMETRY", "0"),
            ("CONTINUE_METRICS_ENABLED", "0"),
        ],
        start: Start::Program("cn", &["-p", "--auto", "{prompt}"]),
        in_ci: true,
        ..EMPTY
    },
    Recipe {
        name: "kimi",
        title: "Kimi Code",
        package: Package::Npm(&["@moonshot-ai/kimi-code@2.1.0"]),
        told: Told::Install("kimi"),
        files: &[(
            "~/.kimi-code/config.toml",
            "default_model = \"fake\"\ntelemetry = false\n\n[providers.fake]\ntype = \"openai\"\n\
             base_url = \"{model}/v1\"\napi_key = \"dummy\"\n\n[models.fake]\nprovider = \"fake\"\n\
             model = \"fake-model\"\nmax_context_size = 200000\ncapabilities = [\"image_in\", \"tool_use\"]\n",
        )],
        env: &[("KIMI_DISABLE_TELEMETRY", "1"), ("KIMI_CODE_NO_AUTO_UPDATE", "1")],
        start: Start::Program("kimi", &["-p", "{prompt}"]),
        ..EMPTY
    },
    Recipe {
        name: "nanocoder",
        title: "Nanocoder",
        package: Package::Npm(&["@nanocollective/nanocoder@1.30.0"]),
        told: Told::Install("nanocoder"),
        reads_project: true,
        files: &[(
            "agents.config.json",
            r#"{ "nanocoder": { "providers": [
  { "name": "fake", "baseUrl": "{model}/v1", "apiKey": "dummy", "models": ["fake-model"] }
] } }
"#,
        )],
        start: Start::Program(
            "nanocoder",
            &[
                "--plain",
                "--provider",
                "fake",
                "--model",
                "fake-model",
                "--mode",
                "yolo",
                "--trust-directory",
                "run",
                "{prompt}",
            ],
        ),
        ..EMPTY
    },
    Recipe {
        name: "vibe",
        title: "Mistral Vibe",
        package: Package::Python("3.12", &["mistral-vibe==3.0.2"]),
        told: Told::Install("vibe"),
        repeats_errors: true,
        reads_project: true,
        files: &[(
            "~/.vibe/config.toml",
            "active_model = \"fake\"\nenable_telemetry = false\nenable_update_checks = false\nenable_auto_update = false\n\n\
             [[providers]]\nname = \"fake\"\napi_base = \"{model}/v1\"\napi_key_env_var = \"FAKE_KEY\"\n\
             api_style = \"openai\"\nbackend = \"generic\"\n\n\
             [[models]]\nname = \"fake-model\"\nprovider = \"fake\"\nalias = \"fake\"\n",
        )],
        env: &[("FAKE_KEY", "dummy"), ("MISTRAL_API_KEY", "dummy")],
        start: Start::Program("vibe", &["-p", "{prompt}", "--auto-approve", "--trust"]),
        ..EMPTY
    },
    Recipe {
        name: "hermes",
        title: "Hermes Agent",
        package: Package::Python("3.11", &["hermes-agent[mcp]==0.19.0"]),
        files: &[
            (
                "~/.hermes/config.yaml",
                "model:\n  provider: custom\n  default: fake-model\n  base_url: {model}/v1\n  api_key: dummy\n\
                 mcp_servers:\n  scenewright:\n    command: \"{server}\"\n    args: {args}\n",
            ),
            ("~/.hermes/.env", "OPENAI_API_KEY=dummy\nOPENAI_BASE_URL={model}/v1\n"),
        ],
        env: &[("OPENAI_API_KEY", "dummy"), ("OPENAI_BASE_URL", "{model}/v1")],
        start: Start::Program("hermes", &["--yolo", "-z", "{prompt}"]),
        ..EMPTY
    },
    Recipe {
        name: "gptme",
        title: "gptme",
        package: Package::Python("3.11", &["gptme==0.35.1"]),
        files: &[(
            "~/.config/gptme/config.toml",
            "[user]\nname = \"User\"\n\n[env]\nMODEL = \"local/fake-model\"\nOPENAI_BASE_URL = \"{model}/v1\"\n\n\
             [mcp]\nenabled = true\nauto_start = true\n\n[[mcp.servers]]\nname = \"scenewright\"\nenabled = true\n\
             command = \"{server}\"\nargs = {args}\n",
        )],
        env: &[("OPENAI_BASE_URL", "{model}/v1"), ("OPENAI_API_KEY", "dummy")],
        start: Start::Program(
            "gptme",
            &["-n", "--no-confirm", "--tool-format", "tool", "-m", "local/fake-model", "{prompt}"],
        ),
        ..EMPTY
    },
    Recipe {
        name: "aider-ce",
        title: "aider-ce",
        package: Package::Python("3.11", &["aider-ce==1.10.0"]),
        files: &[(
            "mcp.json",
            r#"{ "mcpServers": { "scenewright": { "transport": "stdio", "command": "{server}", "args": {args} } } }"#,
        )],
        env: &[("LITELLM_LOCAL_MODEL_COST_MAP", "True")],
        start: Start::Program(
            "aider-ce",
            &[
                "--model",
                "openai/fake-model",
                "--openai-api-base",
                "{model}/v1",
                "--openai-api-key",
                "dummy",
                "--mcp-servers-files",
                "mcp.json",
                "--agent",
                "--yes-always",
                "--no-show-model-warnings",
                "--no-check-update",
                "--analytics-disable",
                "--no-gitignore",
                "--no-tui",
                "--message",
                "{prompt}",
            ],
        ),
        ..EMPTY
    },
    Recipe {
        name: "openhands",
        title: "OpenHands CLI",
        package: Package::Python("3.12", &["openhands==1.16.0"]),
        files: &[
            (
                "~/.openhands/mcp.json",
                r#"{ "mcpServers": { "scenewright": { "command": "{server}", "args": {args} } } }"#,
            ),
            (
                "~/.openhands/agent_settings.json",
                r#"{ "llm": { "model": "openai/fake-model", "api_key": "dummy", "base_url": "{model}/v1" } }"#,
            ),
        ],
        env: &[
            ("LLM_MODEL", "openai/fake-model"),
            ("LLM_API_KEY", "dummy"),
            ("LLM_BASE_URL", "{model}/v1"),
            ("LITELLM_LOCAL_MODEL_COST_MAP", "True"),
            ("OPENHANDS_SUPPRESS_BANNER", "1"),
        ],
        start: Start::Program(
            "openhands",
            &[
                "--headless",
                "--json",
                "--override-with-envs",
                "--always-approve",
                "--exit-without-confirmation",
                "-t",
                "{prompt}",
            ],
        ),
        ..EMPTY
    },
    Recipe {
        name: "fast-agent",
        title: "fast-agent",
        package: Package::Python("3.13", &["fast-agent-mcp==0.10.46"]),
        files: &[(
            "fastagent.config.yaml",
            "default_model: generic.fake-model\ngeneric:\n  api_key: dummy\n  base_url: {model}/v1\n\
             logger:\n  type: none\n  progress_display: false\n\
             mcp:\n  servers:\n    scenewright:\n      command: \"{server}\"\n      args: {args}\n",
        )],
        env: &[("GENERIC_API_KEY", "dummy"), ("GENERIC_BASE_URL", "{model}/v1")],
        start: Start::Program(
            "fast-agent",
            &[
                "go",
                "-c",
                "fastagent.config.yaml",
                "--servers",
                "scenewright",
                "--model",
                "generic.fake-model",
                "-m",
                "{prompt}",
            ],
        ),
        ..EMPTY
    },
];

/// The model of opencode and of what was made of it.
const OPENCODE: &str = r#"{
  "provider": {
    "fake": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "fake",
      "options": { "baseURL": "{model}/v1", "apiKey": "dummy" },
      "models": {
        "fake-model": {
          "name": "fake-model",
          "tool_call": true,
          "attachment": true,
          "modalities": { "input": ["text", "image"], "output": ["text"] },
          "limit": { "context": 200000, "output": 8000 }
        }
      }
    }
  },
  "autoupdate": false,
  "share": "disabled"
}
"#;
