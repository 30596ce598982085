// Which permission a field names by its key, in any of the formats: they leave many fields open, and authors spell them in many ways.
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.
import type { PermissionType } from './permission-set.ts'

/** `secret name`: the value is the name of a secret. `secret`: the value may be the secret itself, so the key names it. */
export type KeyRule = PermissionType | 'secret name' | 'command' | 'environment' | 'steps' | 'branch'

const rules: [keys: RegExp, rule: KeyRule][] = [
  [/^steps$/, 'steps'],
  [/^(?:then|else|do|children|try|catch|finally|branches|onerror)$/, 'branch'],
  [/^(?:env|secrets|credentials)$/, 'environment'],
  [/(?:env|envvar|envname|secretname|secretid|credential|credentialid|credentialname)$/, 'secret name'],
  [/(?:secret|password|passwd|passphrase|apikey|accesskey|privatekey|token|authorization|cookies?|login)$/, 'secret'],
  [/^(?:downloads?|downloadto|downloadpath|saveas)$/, 'download'],
  [/(?:domains?|hosts?|hostname|origins?|urls?|uri|href|endpoints?)$|^(?:sites?|weballow|goto|navigate)$/, 'site'],
  [/(?:^models?|model|modelid|modelname)$/, 'model'],
  [
    /^(?:connectors?|integrations?|mcp|mcpservers?|plugins?|extensions?|apps?|native|runtime|callactions)$/,
    'connector',
  ],
  [/^(?:orgs?|workflows?|subworkflow|automations?|agents?)$/, 'connector'],
  [/^(?:schedules?|cron|crontab|rrule)$/, 'schedule'],
  [/^(?:commands?|cmd|exec|shell|bash|powershell)$/, 'command'],
  [/^(?:scripts?|scriptfile|scriptpath|code|javascript|js|python|eval|evaluate)$/, 'script'],
  [/^(?:tools|allowedtools|allowtools|skills|skillpool)$/, 'step'],
]

/** The rule of a key, however it is spelled: `base_url`, `baseUrl` and `Base-URL` are one. */
export function ruleOf(key: string): KeyRule | undefined {
  if (key.length > 60) return undefined
  const plain = key.toLowerCase().replace(/[^a-z0-9]/g, '')
  return rules.find(([keys]) => keys.test(plain))?.[1]
}

/** What a step or a node needs by its type alone. */
const typeHints: [types: RegExp, needs: PermissionType][] = [
  [
    /(?:^|[._-])(?:https?|fetch|request|navigate|goto|browser|web|crawl|scrape|url|graphql|soap|rest|open_?url)(?:[._-]|$)/i,
    'site',
  ],
  [/(?:^|[._-])downloads?(?:[._-]|$)/i, 'download'],
  [
    /(?:^|[._-])(?:scripts?|code|javascript|js|python|shell|bash|exec|command|eval(?:uate)?|function)(?:[._-]|$)/i,
    'script',
  ],
  [/^(?:model|llm|ai|openai|anthropic)(?:[._-]|$)/i, 'model'],
]

export const needsOf = (type: string): PermissionType[] =>
  typeHints.filter(([types]) => types.test(type)).map(([, needs]) => needs)

/** Below these keys authors name things of their own, so that a key there says nothing. */
export const isOfAuthor = (key: string): boolean => key === 'schema' || key === 'fields' || key === 'columns'
