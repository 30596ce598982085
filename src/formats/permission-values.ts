// Finds what the JSON of a file names, at any depth: by keys, by types of steps, and by URLs and references in all its texts.
// Part of permissions.ts, which the command line bundles: nothing here uses an API of Node.
import { addScriptText } from './permission-scripts.ts'
import { isObject, isTemplate, type PermissionSet, type PermissionType } from './permission-set.ts'
import { addSite, addSitesIn } from './permission-sites.ts'

// Which permission a field names by its key, in any of the formats: they leave many fields open, and authors spell them in many ways.

/** `secret name`: the value is the name of a secret. `secret`: the value may be the secret itself, so the key names it. */
type KeyRule = PermissionType | 'secret name' | 'command' | 'environment' | 'steps' | 'branch'

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
function ruleOf(key: string): KeyRule | undefined {
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

const needsOf = (type: string): PermissionType[] =>
  typeHints.filter(([types]) => types.test(type)).map(([, needs]) => needs)

/** Below these keys authors name things of their own, so that a key there says nothing. */
const isOfAuthor = (key: string): boolean => key === 'schema' || key === 'fields' || key === 'columns'

/** Where something is in a file, as people know it: the name of a node, a path, a role. */
export interface Place {
  found: PermissionSet
  place: string
}

interface Visit {
  key: string
  value: unknown
  /** Whether the key says what the value names; without it only the texts are read. */
  isKnown: boolean
}

const REFERENCE = /\{\{[^{}]{0,200}\}\}|\$\{[^{}]{0,200}\}/g
const SECRET_REFERENCE = /\b(?:secrets?|credentials?|env|vault)\b(?:\s*\.\s*|\s*\[\s*['"])?([A-Za-z_][\w-]*)?/i
const SCRIPT_PATH = /^[^\s'"`;(){}]+\.(?:[cm]?[jt]sx?|py|sh|bash|rb|ps1|cmd|bat|exe|pl|php)$/i
const SECRET_NAME = /^[A-Za-z_][\w .:/@-]{0,99}$/

/**
 * Adds what a value names, without calling itself, so that no depth is too much.
 *
 * @param key under which the value is
 * @param without keys of the value that are read elsewhere or name nothing
 */
export function addValue(
  { found, place }: Place,
  key: string,
  { value, without = [] }: { value: unknown; without?: readonly string[] },
): void {
  const stack: Visit[] = [{ key, value: omit(value, without), isKnown: !isOfAuthor(key) }]
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    if (!found.visit()) return
    const { key, value, isKnown } = visit
    const rule = isKnown ? ruleOf(key) : undefined
    if (typeof value === 'string') addText({ found, place }, rule, { key, text: value })
    else if (Array.isArray(value)) for (const entry of value) stack.push({ key, value: entry, isKnown })
    else if (isObject(value)) {
      if (isKnown) addObject({ found, place }, rule, { key, value })
      for (const [inner, held] of Object.entries(value)) {
        stack.push({ key: inner, value: held, isKnown: isKnown && !isOfAuthor(inner) })
      }
    } else if (value !== null && value !== false && value !== undefined) addScalar(found, rule, value)
  }
}

function omit(value: unknown, without: readonly string[]): unknown {
  if (without.length === 0 || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !without.includes(key)))
}

function addText(
  { found, place }: Place,
  rule: KeyRule | undefined,
  { key, text }: { key: string; text: string },
): void {
  addSitesIn(found, text)
  addReferences(found, text)
  if (rule === undefined || rule === 'branch' || text.trim() === '') return
  if (rule === 'site') addSite(found, text)
  else if (rule === 'secret name' || rule === 'environment') addSecretName(found, key, text)
  else if (rule === 'secret') {
    if (!isTemplate(text)) found.addExactly('secret', key)
  } else if (rule === 'command') found.addExactly('script', text)
  else if (rule === 'script') addScript({ found, place }, text)
  else found.add(rule === 'steps' ? 'step' : rule, text)
}

/** A script is a file, or a text in the place where it stands. */
function addScript({ found, place }: Place, text: string): void {
  if (SCRIPT_PATH.test(text.trim())) found.add('script', text)
  else {
    found.addExactly('script', `code in ${place}`)
    addScriptText(found, text)
  }
}

function addSecretName(found: PermissionSet, key: string, text: string): void {
  if (isTemplate(text)) found.addAny('secret')
  // What is no name can be the secret itself, which is never shown.
  else found.addExactly('secret', SECRET_NAME.test(text) ? text : key)
}

/** Secrets that a template refers to: `{{secrets.X}}`, `${env.X}`. */
function addReferences(found: PermissionSet, text: string): void {
  if (!text.includes('{')) return
  for (const [template] of text.matchAll(REFERENCE)) {
    const reference = template.match(SECRET_REFERENCE)
    if (!reference) continue
    if (reference[1] === undefined) found.addAny('secret')
    else found.addExactly('secret', reference[1])
  }
}

/** `true` for a permission is all of it; a number is a name where names can be numbers. */
function addScalar(found: PermissionSet, rule: KeyRule | undefined, value: unknown): void {
  if (rule === undefined || rule === 'steps' || rule === 'branch') return
  if (rule === 'environment' || rule === 'secret name') return
  if (typeof value === 'number' && rule === 'schedule') found.addExactly('schedule', String(value))
  else if (rule !== 'secret' || value === true) found.addAny(rule === 'command' ? 'script' : rule)
}

function addObject(
  { found, place }: Place,
  rule: KeyRule | undefined,
  { key, value }: { key: string; value: Record<string, unknown> },
): void {
  const type = stepType(rule, value)
  if (type !== undefined) addStep({ found, place }, type, value)
  else if (rule === 'steps' && looksLikeStep(value)) found.addAny('step')
  if (rule === 'environment') for (const name of Object.keys(value)) addSecretName(found, key, name)
  else if (rule === 'secret') found.addExactly('secret', key)
  else if (rule === 'download') found.addAny('download')
  else if (rule === 'script' || rule === 'command') found.addExactly('script', `code in ${place}`)
  else if (rule === 'schedule' && !Object.keys(value).some((inner) => ruleOf(inner) === 'schedule'))
    found.addAny('schedule')
  else if (rule === 'connector' || rule === 'model' || rule === 'step') addNamed(found, rule, value)
}

/** `{ name }`, or a map by name. */
function addNamed(found: PermissionSet, type: 'connector' | 'model' | 'step', value: Record<string, unknown>): void {
  const own = value['name'] ?? value['id']
  if (typeof own === 'string') found.add(type, own)
  else if (type === 'model') found.addAny('model')
  else for (const [name, held] of Object.entries(value)) if (held !== false && held !== null) found.add(type, name)
}

function stepType(rule: KeyRule | undefined, value: Record<string, unknown>): string | undefined {
  if (typeof value['step'] === 'string') return value['step']
  if (rule !== 'steps' && rule !== 'branch') return undefined
  const type = value['type'] ?? value['action'] ?? value['kind'] ?? value['op'] ?? value['uses'] ?? value['run']
  return typeof type === 'string' ? type : undefined
}

/** Not a map of steps by name, whose values are read in turn. */
const looksLikeStep = (value: Record<string, unknown>): boolean => !Object.values(value).every(isObject)

/** Adds a step, and what it needs by its type where none of its fields names that. */
export function addStep({ found, place }: Place, type: string, step: Record<string, unknown>): void {
  found.add('step', type)
  const config = isObject(step['config']) ? step['config'] : {}
  const fields = [...Object.entries(step), ...Object.entries(config)].filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  )
  const names = (needed: string) => fields.some(([key]) => ruleOf(key) === needed)
  for (const needed of needsOf(type)) {
    if (needed === 'download') found.addAny('download')
    else if (needed === 'script') addScriptOfStep({ found, place }, fields)
    else if (!names(needed) && !(needed === 'site' && hasUrl(fields))) found.addAny(needed)
  }
}

const hasUrl = (fields: [string, unknown][]): boolean =>
  fields.some(([, value]) => typeof value === 'string' && /:\/\//.test(value))

function addScriptOfStep({ found, place }: Place, fields: [string, unknown][]): void {
  if (fields.some(([key]) => ruleOf(key) === 'script' || ruleOf(key) === 'command')) return
  const file = fields.find(([key, value]) => /^(?:file|path|src)$/i.test(key) && typeof value === 'string')?.[1]
  if (typeof file === 'string') found.add('script', file)
  else found.addExactly('script', `code in ${place}`)
}
