//! Libraries that people make their own agents with, each in a program of a few lines.

use crate::clients::recipe::{EMPTY, Package, Recipe, Start, Told};

/// What keys and switches any of them looks for.
const LIBRARY: Recipe = Recipe {
    told: Told::Environment,
    env: &[
        ("OPENAI_API_KEY", "dummy"),
        ("OPENAI_BASE_URL", "{model}/v1"),
        ("OPENAI_AGENTS_DISABLE_TRACING", "1"),
        ("GOOGLE_API_KEY", "dummy"),
        ("GOOGLE_GEMINI_BASE_URL", "{model}"),
        ("ANONYMIZED_TELEMETRY", "false"),
        ("MCP_USE_ANONYMIZED_TELEMETRY", "false"),
        ("LANGSMITH_TRACING", "false"),
        ("AGNO_TELEMETRY", "false"),
        ("MASTRA_TELEMETRY_DISABLED", "1"),
        ("CREWAI_DISABLE_TELEMETRY", "true"),
        ("CREWAI_DISABLE_TRACKING", "true"),
        ("LITELLM_LOCAL_MODEL_COST_MAP", "True"),
        ("HAYSTACK_TELEMETRY_ENABLED", "false"),
    ],
    ..EMPTY
};

pub(super) const LIBRARIES: &[Recipe] = &[
    Recipe {
        name: "openai-agents",
        title: "OpenAI Agents SDK, Python",
        package: Package::Python("3.11", &["openai-agents==0.24.0"]),
        start: Start::Script("openai_agents.py"),
        in_ci: true,
        ..LIBRARY
    },
    Recipe {
        name: "openai-agents-js",
        title: "OpenAI Agents SDK, JavaScript",
        package: Package::Npm(&["@openai/agents@0.20.0", "zod@4.6.7"]),
        start: Start::Script("openai_agents.mjs"),
        in_ci: true,
        ..LIBRARY
    },
    Recipe {
        name: "ai-sdk",
        title: "AI SDK",
        package: Package::Npm(&[
            "@ai-sdk/mcp@2.0.99",
            "ai@7.0.173",
            "@ai-sdk/openai-compatible@3.0.92",
        ]),
        start: Start::Script("ai_sdk.mjs"),
        in_ci: true,
        ..LIBRARY
    },
    Recipe {
        name: "langchain",
        title: "LangChain, Python",
        package: Package::Python(
            "3.11",
            &[
                "langchain-mcp-adapters==0.3.2",
                "langchain>=1,<2",
                "langchain-openai>=1,<2",
                "langgraph>=1,<2",
            ],
        ),
        start: Start::Script("langchain_agent.py"),
        in_ci: true,
        ..LIBRARY
    },
    Recipe {
        name: "langchain-js",
        title: "LangChain, JavaScript",
        package: Package::Npm(&[
            "@langchain/mcp-adapters@1.1.4",
            "langchain@1.5.14",
            "@langchain/openai@1.6.0",
            "@langchain/core@1.2.13",
            "@langchain/langgraph@1.4.13",
        ]),
        start: Start::Script("langchain.mjs"),
        ..LIBRARY
    },
    Recipe {
        name: "pydantic-ai",
        title: "Pydantic AI",
        package: Package::Python("3.11", &["pydantic-ai-slim[mcp,openai]==2.68.0"]),
        start: Start::Script("pydantic_agent.py"),
        in_ci: true,
        ..LIBRARY
    },
    Recipe {
        name: "google-adk",
        title: "Google ADK, Python",
        package: Package::Python("3.11", &["google-adk[mcp]==2.13.0", "mcp<2"]),
        start: Start::Script("google_adk.py"),
        ..LIBRARY
    },
    Recipe {
        name: "strands",
        title: "Strands Agents",
        package: Package::Python("3.11", &["strands-agents[openai]==1.62.0"]),
        start: Start::Script("strands_agent.py"),
        ..LIBRARY
    },
    Recipe {
        name: "agno",
        title: "Agno",
        package: Package::Python("3.11", &["agno==3.1.10", "openai>=2", "mcp>=1", "fastmcp>=4,<5"]),
        start: Start::Script("agno_agent.py"),
        ..LIBRARY
    },
    Recipe {
        name: "mcp-use",
        title: "mcp-use, Python",
        package: Package::Python("3.11", &["mcp-use==1.7.1", "langchain-openai>=1,<2"]),
        start: Start::Script("mcp_use_agent.py"),
        repeats_errors: true,
        in_ci: true,
        ..LIBRARY
    },
    Recipe {
        name: "autogen",
        title: "AutoGen",
        package: Package::Python(
            "3.11",
            &["autogen-ext[mcp,openai]==0.7.5", "autogen-agentchat==0.7.5", "mcp<2"],
        ),
        start: Start::Script("autogen_agent.py"),
        ..LIBRARY
    },
    Recipe {
        name: "crewai",
        title: "CrewAI",
        package: Package::Python("3.11", &["crewai==1.15.30", "mcp>=1"]),
        start: Start::Script("crewai_agent.py"),
        remark: "puts the command and its arguments in front of the name of each tool, and makes what is longer than 64 \
                 characters a checksum: have `scenewright` on `PATH` and no long arguments (a configuration file has \
                 room for them).",
        ..LIBRARY
    },
    Recipe {
        name: "haystack",
        title: "Haystack",
        package: Package::Python("3.11", &["mcp-haystack==2.1.1", "haystack-ai==3.4.0"]),
        start: Start::Script("haystack_agent.py"),
        ..LIBRARY
    },
    Recipe {
        name: "llama-index",
        title: "LlamaIndex",
        package: Package::Python(
            "3.11",
            &[
                "llama-index-tools-mcp==0.6.0",
                "llama-index-core>=0.14",
                "llama-index-llms-openai-like>=0.5",
            ],
        ),
        start: Start::Script("llama_index_agent.py"),
        ..LIBRARY
    },
    Recipe {
        name: "mastra",
        title: "Mastra",
        package: Package::Npm(&[
            "@mastra/mcp@2.0.0",
            "@mastra/core@1.71.0",
            "@ai-sdk/openai-compatible@3.0.92",
        ]),
        start: Start::Script("mastra.mjs"),
        ..LIBRARY
    },
    Recipe {
        name: "smolagents",
        title: "smolagents",
        package: Package::Python("3.11", &["smolagents[mcp,openai]==1.26.0", "mcp<2"]),
        start: Start::Script("smolagents_agent.py"),
        in_ci: true,
        ..LIBRARY
    },
];
