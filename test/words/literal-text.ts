// Finds text that people read and that is not in the catalogue: literal words in the markup, in attributes and in strings.
import { createRequire } from 'node:module'
import { join } from 'node:path'

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

type Parse = (source: string, options: { modern: true }) => object
const { parse }: { parse: Parse } = createRequire(join(import.meta.dirname, '../../site/package.json'))(
  'svelte/compiler',
)

/** Names, which no language translates. */
const NAMES = new Set(['Guildhall', 'API', 'GitHub', 'LinkedIn', 'Markdown', 'Atom', 'WebAuthn', 'JSON'])

/** Attributes of elements whose value is read or heard. */
const SPOKEN = /^(alt|title|placeholder|label|aria-(label|description|roledescription|placeholder|valuetext))$/

/** What is no text for readers wherever it stands: types, names of things, errors for developers. */
const SILENT_NODES = /^(TS|Import|Export.*From|MetaProperty|PrivateName|StyleSheet|Comment)/

/** Elements whose content is code. */
const CODE = new Set(['code', 'pre', 'kbd', 'samp', 'style', 'script'])

/** Calls and attributes whose strings are for machines. */
const SILENT_CALLS =
  /^(t|t\.parts|(new )?(Error|RegExp|URL|Map|Set|Intl\.\w+)|fail|require|document\.\w+|\w+\.(querySelector(All)?|closest|matches|startsWith|endsWith|includes|replace(All)?|split|get|has|set|append|delete|test|setAttribute|getAttribute|match(All)?|join|addEventListener|dispatchEvent|cookies\.\w+|headers\.\w+))$/
const SILENT_ATTRIBUTES =
  /^(class|href|action|rel|sizes|type|generics|src|srcset|d|viewBox|transform|points|key|name|id|value|data-.*|content|style|allow|sandbox|accept|autocomplete|inputmode|look|icon|calls|of|on|bind:.*)$/

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string'

/** In markup every word counts. */
const isWords = (text: string) =>
  (text.match(/\p{L}[\p{L}’'-]+/gu) ?? []).some((word) => !NAMES.has(word)) &&
  !/^\s*(https?:|[\w.-]+@|\/|#)\S*\s*$/.test(text)

/** In a string: words with a space between them, or one that begins as a sentence does. Names of classes and keys do neither. */
const isSentence = (text: string) =>
  !NAMES.has(text.trim()) &&
  (/\p{L}{2,}[,.:;!?’'“”)]*\s+[“(]?\p{L}/u.test(text) || /^\s*\p{Lu}\p{Ll}+[\s.,:!?…]*$/u.test(text)) &&
  !/[{};=<>]|^\s*(\.|@|--)|;\s*\w+=|\b(GMT|UTC)\b|^(npx )?guildhall |sans-serif$/.test(text)

export interface Literal {
  line: number
  text: string
}

/** The literal text of a file of the site (`.svelte`), or of a module (`.ts`). */
export function literalsIn(path: string, source: string): Literal[] {
  const isModule = path.endsWith('.ts')
  const wrapped = isModule ? `<script lang="ts">\n${source.replaceAll('</script', '<\\/script')}\n</script>` : source
  const found: Literal[] = []
  const add = (node: Node, text: string) => {
    const line = wrapped.slice(0, node.start).split('\n').length - (isModule ? 1 : 0)
    found.push({ line, text: text.trim().replace(/\s+/g, ' ') })
  }
  walk(parse(wrapped, { modern: true }), { add, isCode: false })
  return found
}

interface Walk {
  add(node: Node, text: string): void
  isCode: boolean
}

function walk(value: unknown, at: Walk): void {
  if (Array.isArray(value)) for (const one of value) walk(one, at)
  else if (isNode(value)) visit(value, at)
  else if (typeof value === 'object' && value !== null && 'fragment' in value) walkInto(value, at)
}

function walkInto(node: object, at: Walk, skipped: readonly string[] = []): void {
  for (const [key, value] of Object.entries(node)) {
    if (
      key === 'type' ||
      key === 'loc' ||
      key === 'metadata' ||
      key === 'leadingComments' ||
      key === 'trailingComments'
    )
      continue
    if (!skipped.includes(key)) walk(value, at)
  }
}

function visit(node: Node, at: Walk): void {
  if (/^TS(As|Satisfies|NonNull)Expression$/.test(node.type)) {
    walk(node['expression'], at)
    return
  }
  if (SILENT_NODES.test(node.type)) return
  switch (node.type) {
    case 'Text':
      if (!at.isCode && isWords(String(node['data']))) at.add(node, String(node['data']))
      return
    case 'RegularElement':
      walkInto(node, { ...at, isCode: CODE.has(String(node['name'])) })
      return
    case 'Attribute':
      attribute(node, at)
      return
    case 'Literal':
      if (typeof node['value'] === 'string' && isSentence(node['value'])) at.add(node, node['value'])
      return
    case 'TemplateLiteral':
      template(node, at)
      return
    case 'BinaryExpression':
      if (!/^[=!]==?$|in/.test(String(node['operator']))) walkInto(node, at)
      return
    case 'ImportDeclaration':
      return
    case 'Property':
    case 'PropertyDefinition':
      // A type of schema.org.
      if (!isNode(node['key']) || node['key']['value'] !== '@type') walk(node['value'], at)
      return
    case 'MemberExpression':
      walk(node['object'], at)
      return
    case 'CallExpression':
    case 'NewExpression':
      call(node, at)
      return
    default:
      walkInto(node, at, ['options'])
  }
}

/** An address, a name, a key, a path of a drawing, or the name of a field before its error: `orgJson: …`. */
const NAMED = /^Key\u2026$|^[MLHVC\u2026 -]+$|^\/|^\?|^[\w-]+=|^[a-z]\w*:? \u2026$/

function template(node: Node, at: Walk): void {
  const parts = Array.isArray(node['quasis']) ? node['quasis'].filter(isNode) : []
  const text = parts.map(({ value }) => String(Reflect.get(Object(value), 'cooked'))).join('\u2026')
  if (isSentence(text.replaceAll('\u2026', 'x')) && !NAMED.test(text)) at.add(node, text)
  walk(node['expressions'], at)
}

function attribute(node: Node, at: Walk): void {
  const name = String(node['name'])
  const values = Array.isArray(node['value']) ? node['value'] : [node['value']]
  const isSpoken = SPOKEN.test(name)
  if (!isSpoken && SILENT_ATTRIBUTES.test(name)) return
  for (const value of values) {
    if (!isNode(value)) continue
    if (value.type !== 'Text') walk(value, at)
    else if (isSpoken ? isWords(String(value['data'])) : isSentence(String(value['data'])))
      at.add(value, String(value['data']))
  }
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type !== 'MemberExpression') return 'x'
  return `${nameOf(node['object'])}.${nameOf(node['property'])}`.split('.').slice(-2).join('.')
}

/** The strings of a call that is silent are for machines; what is called and other arguments are looked at. */
function call(node: Node, at: Walk): void {
  walk(node['callee'], at)
  const name = nameOf(node['callee'])
  const given = Array.isArray(node['arguments']) ? node['arguments'] : []
  const isSilent = SILENT_CALLS.test(name) || /Error$/.test(name)
  for (const one of given) {
    if (isSilent && isNode(one) && /^(Literal|TemplateLiteral|ConditionalExpression)$/.test(one.type)) continue
    walk(one, at)
  }
}
