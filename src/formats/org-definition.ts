// The schema of an org definition (formats.md section 1). Unknown fields are accepted and kept at every level but inside `provider`;
// fields that are not required there are optional.
import { z } from 'zod'
import { isStorable } from '../contract/storable.ts'
import { STORABLE } from './format-error.ts'
import {
  amount,
  flag,
  integer,
  list,
  nonEmptyText,
  object,
  oneOf,
  share,
  strictObject,
  text,
  texts,
  writtenAs,
} from './shape.ts'

const runtime = oneOf([
  'claude',
  'kimicode',
  'opencode',
  'vercel',
  'codex',
  'antigravity',
  'grok',
  'qwen',
  'crush',
  'copilot',
  'pi',
  'pi-rpc',
  'qwen-rpc',
])

const providerKind = oneOf([
  'subscription',
  'api-key',
  'base-url',
  'bedrock',
  'vertex',
  'gemini',
  'openai',
  'vercel-api-key',
  'codex',
  'antigravity',
])

const vendor = oneOf([
  'openai',
  'anthropic',
  'google',
  'xai',
  'deepseek',
  'glm',
  'mistral',
  'groq',
  'together',
  'fireworks',
  'cohere',
  'perplexity',
  'alibaba',
  'openrouter',
  'ollama',
  'openai-compatible',
])

const threat = oneOf([
  'prompt_injection',
  'jailbreak',
  'pii_exposure',
  'instruction_override',
  'role_switching',
  'context_manipulation',
  'encoding_attack',
  'data_exfiltration',
  'unknown',
])

const Fence = object({
  enabled: flag.optional(),
  enablePIIDetection: flag.optional(),
  scanMessages: flag.optional(),
  scanOutput: flag.optional(),
  confidenceThreshold: share.optional(),
  abortThreshold: share.optional(),
  allowlist: list(
    object({
      id: nonEmptyText,
      pattern: nonEmptyText,
      types: list(threat).optional(),
      context: text.optional(),
      reason: text.optional(),
      source: text.optional(),
    }),
  ).optional(),
})

const Policy = object({
  allowTools: texts().optional(),
  denyTools: texts().optional(),
  fileWrite: texts().optional(),
  fileRead: texts().optional(),
  webAllow: texts().optional(),
  autoApproveTools: texts().optional(),
  maxTokens: integer(1).optional(),
  maxUsd: amount.positive('expected a number above 0').optional(),
  git: oneOf(['none', 'read', 'commit', 'push']).optional(),
  fence: Fence.optional(),
})

const Provider = strictObject({
  kind: providerKind.optional(),
  vendor: vendor.optional(),
  apiKeyEnv: text.optional(),
  baseUrl: text.optional(),
  authTokenEnv: text.optional(),
  usageProxyEnvVar: text.optional(),
  usageProxy: flag.optional(),
})

const Role = object({
  id: nonEmptyText,
  title: text.optional(),
  type: text.default('specialist'),
  reports_to: z.union([z.string(), z.null()], 'expected a string or null').optional(),
  responsibilities: texts().optional(),
  instructions_file: text.optional(),
  adapter_config: object({ model: text.optional(), max_tokens: amount.optional() }).optional(),
  provider: Provider.optional(),
  policy: Policy.optional(),
  runtime: runtime.optional(),
  max_turns_per_message: integer(1).optional(),
  budget_tokens: integer(1).optional(),
  budget_usd: amount.positive('expected a number above 0').optional(),
})

const RunConfig = object({
  max_concurrent_agents: integer(1).optional(),
  budget_tokens: integer(1).optional(),
  memory_namespace: text.optional(),
  max_turns_per_message: integer(1).optional(),
  idle_minutes: amount.min(0, 'expected a number of at least 0').optional(),
  workspace: text.optional(),
  circuit_breaker: object({
    failure_threshold: integer(1).optional(),
    cooldown_ms: integer(0).optional(),
  }).optional(),
  failure_routing: object({
    retry: object({ maxAttempts: integer(1).optional(), backoffMs: list(integer(0)).optional() }).optional(),
    fallbackAssignee: text.optional(),
    escalate: flag.optional(),
  }).optional(),
  stale_base_threshold: integer(0).optional(),
  prechecks: list(object({ name: text, command: text })).optional(),
})

/** An org definition as a reader sees it: the fields of the file, unknown ones too, and the defaults it may leave out. */
export const OrgDefinition = z.looseObject(
  {
    name: nonEmptyText.refine(isStorable, STORABLE),
    goal: text.refine(isStorable, STORABLE).default(''),
    topology: writtenAs(
      z
        .string()
        .optional()
        .catch(undefined)
        .refine((given) => given === undefined || isStorable(given), STORABLE),
      { json: {} },
    ),
    status: text.default('stopped'),
    schedule: z.union([z.string(), z.number(), z.null()], 'expected a string, a number or null').default(null),
    run_config: RunConfig.default({}),
    fence: Fence.optional(),
    roles: writtenAs(
      list(Role).refine((roles) => roles.length > 0, 'expected at least 1 role'),
      { json: { type: 'array', minItems: 1 }, entry: Role },
    ),
    runtime: runtime.optional(),
    communication: list(object({ from: text, to: text, type: text.optional() })).optional(),
  },
  'expected a JSON object',
)
export type OrgDefinition = z.output<typeof OrgDefinition>
