// Workflow exports (formats.md section 3). Read token by token, so that 20 MiB of any input neither block the service nor fill its
// memory. If a key is repeated the last one counts, as with JSON.parse.
import { readFile, stat } from 'node:fs/promises'
import { setImmediate as pause } from 'node:timers/promises'
import { MAX_WORKFLOW_BYTES } from '../contract/sizes.ts'
import { isStorable, oneLine } from '../contract/storable.ts'
import { FormatError, STORABLE } from './format-error.ts'
import { assertMetaSize, itemDescription, itemName, MAX_META_BYTES, TOO_MANY_NAMES } from './item-text.ts'
import { JsonTokens, type Token } from './json-tokens.ts'
import { type ItemName, MAX_CHARACTERS, MAX_NAMES, nameIn } from './named-items.ts'
import { assertUtf8, cut } from './text.ts'

const BYTES_BETWEEN_PAUSES = 128 * 1024
/** Longer than any key that matters, even with each letter written as an escape. */
const LONGEST_KEY_BYTES = 200
/** As an escape. */
const BYTES_OF_A_CHARACTER = 6

/**
 * Reads a workflow export from disk. It holds the file in memory and gives way to others every few milliseconds.
 *
 * @throws FormatError that names the first offending field: `nodes.3.type: expected a string of at least 1 character`
 */
export async function readWorkflow(path: string) {
  if ((await stat(path)).size > MAX_WORKFLOW_BYTES) throw new FormatError('expected at most 20 MiB')
  const bytes = await readFile(path)
  assertUtf8(bytes)
  const tokens = new JsonTokens(bytes)
  const reader = new WorkflowReader(tokens)
  let pauseAt = BYTES_BETWEEN_PAUSES
  for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
    reader.take(token)
    if (tokens.end < pauseAt) continue
    await pause()
    pauseAt = tokens.end + BYTES_BETWEEN_PAUSES
  }
  return reader.finish()
}

/** Follows the tokens of a workflow and remembers the little that is derived from it. */
class WorkflowReader {
  readonly #tokens: JsonTokens
  /** The key of the workflow we are at or in. */
  #field = ''
  #name = ''
  #description = ''
  #nodes: Nodes | undefined
  #connectionsFit = true
  readonly #automations = { automations: new Names(), unbundledAutomations: new Names() }

  readonly #named = new NamedItems()

  constructor(tokens: JsonTokens) {
    this.#tokens = tokens
  }

  take(token: Token): void {
    const { depth } = this.#tokens
    const field = this.#field
    if (token === 'string') this.#named.take(this.#tokens)
    if (depth === 0) {
      if (token !== '{' && token !== '}') throw new FormatError('expected a JSON object')
    } else if (depth === 1) {
      if (token === 'key') this.#field = shortText(this.#tokens)
      else if (token !== '}' && token !== ']') this.#begin(token)
    } else if (field === 'nodes') {
      this.#nodes?.take(token, this.#tokens)
    } else if (depth === 2 && token === 'key' && (field === 'automations' || field === 'unbundledAutomations')) {
      const name = this.#tokens.text()
      this.#automations[field].add(name, field)
      if (this.#automations[field].isFit) this.#named.require(name)
    }
  }

  /** The value of the current field begins; the value of an earlier duplicate key is dropped. */
  #begin(token: Token): void {
    const field = this.#field
    const text = () => (token === 'string' ? this.#tokens.text() : '')
    if (field === 'name') this.#name = text()
    else if (field === 'description') this.#description = text()
    else if (field === 'nodes') this.#nodes = new Nodes(token === '[')
    else if (field === 'connections') this.#connectionsFit = token === '[' || token === 'null'
    else if (field === 'automations' || field === 'unbundledAutomations') this.#automations[field] = new Names()
  }

  finish() {
    if (!isStorable(this.#name)) throw new FormatError(STORABLE, 'name')
    if (!isStorable(this.#description)) throw new FormatError(STORABLE, 'description')
    if (!this.#nodes) throw new FormatError('expected an array', 'nodes')
    const { automations, unbundledAutomations } = this.#automations
    const nodeTypes = this.#nodes.types()
    if (!this.#connectionsFit) throw new FormatError('expected an array or null', 'connections')
    const meta = {
      node_types: nodeTypes,
      trigger_types: nodeTypes.filter((type) => type.startsWith('trigger.')),
      required_automations: [...new Set([...automations.sorted(), ...unbundledAutomations.sorted()])].sort(),
    }
    assertMetaSize(meta)
    return {
      /** trimmed, at most 100 characters */
      name: itemName(this.#name, 'Untitled workflow'),
      /** at most 2,000 characters, `''` when it has none */
      description: itemDescription(this.#description),
      meta,
      /** What its steps are called, in their order. */
      stepNames: [...this.#nodes.names].filter((name) => name.trim() !== ''),
      /** what its texts name, and the automations that it requires, as they stand in the file */
      names: this.#named.list(meta.required_automations),
    }
  }
}

const MOST_STEP_NAMES = 300
const LONGEST_STEP_NAME = 100

/** The items that texts name, the first hundred, among the automations that are required. */
class NamedItems {
  readonly #texts = new Set<string>()
  /** Of texts and of keys, in their order. */
  readonly #names = new Map<string, ItemName>()

  /** A text. */
  take(tokens: JsonTokens): void {
    if (this.#texts.size >= MAX_NAMES || tokens.end - tokens.start > MAX_CHARACTERS * BYTES_OF_A_CHARACTER) return
    const name = nameIn(tokens.text())
    if (!name) return
    this.#texts.add(keyOf(name))
    this.#add(name)
  }

  /** A key of required automations; of a key that is repeated only the last one counts, which is known at the end. */
  require(slug: string): void {
    this.#add({ kind: 'automation', slug })
  }

  #add(name: ItemName): void {
    if (!this.#names.has(keyOf(name))) this.#names.set(keyOf(name), name)
  }

  list(required: readonly string[]): ItemName[] {
    const counting = new Set([...this.#texts, ...required.map((slug) => keyOf({ kind: 'automation', slug }))])
    return [...this.#names.values()].filter((name) => counting.has(keyOf(name)))
  }
}

const keyOf = ({ kind, slug }: ItemName) => `${kind}/${slug}`

/** The entries of `nodes`: each has to be an object with a `type`. */
class Nodes {
  readonly #types = new Names()
  /** What its maker calls the steps, for the search: so many, and so long. */
  readonly names = new Set<string>()
  #problem: FormatError | undefined
  #index = 0
  #type = ''
  #at: 'type' | 'name' | undefined

  constructor(isArray: boolean) {
    if (!isArray) this.#problem = new FormatError('expected an array', 'nodes')
  }

  take(token: Token, tokens: JsonTokens): void {
    if (this.#problem) return
    if (tokens.depth === 2) this.#entry(token)
    else if (tokens.depth === 3 && token === 'key') {
      const key = shortText(tokens)
      this.#at = key === 'type' || key === 'name' ? key : undefined
    } else if (tokens.depth === 3 && this.#at) {
      const text = token === 'string' ? tokens.text() : ''
      if (this.#at === 'type') this.#type = text
      else if (this.names.size < MOST_STEP_NAMES && isStorable(text))
        this.names.add(cut(oneLine(text), LONGEST_STEP_NAME))
      this.#at = undefined
    }
  }

  /** An entry opens or closes. */
  #entry(token: Token): void {
    const path = `nodes.${this.#index}`
    if (token === '{') {
      this.#type = ''
    } else if (token !== '}') {
      this.#problem = new FormatError('expected an object', path)
    } else if (this.#type === '') {
      this.#problem = new FormatError('expected a string of at least 1 character', `${path}.type`)
    } else {
      this.#types.add(this.#type, `${path}.type`)
      this.#index += 1
    }
  }

  /** @throws FormatError that names the first entry that does not fit */
  types(): string[] {
    if (this.#problem) throw this.#problem
    return this.#types.sorted()
  }
}

/** Distinct names, no more of them than `meta` can carry. */
class Names {
  readonly #names = new Set<string>()
  #problem: FormatError | undefined
  #bytes = 0

  add(name: string, field: string): void {
    if (this.#problem || this.#names.has(name)) return
    if (!isStorable(name)) this.#problem = new FormatError(STORABLE, field)
    this.#bytes += name.length
    if (this.#bytes > MAX_META_BYTES) this.#problem ??= new FormatError(TOO_MANY_NAMES, field)
    this.#names.add(name)
  }

  /** Whether all names fit so far. */
  get isFit(): boolean {
    return this.#problem === undefined
  }

  /** @throws FormatError when one of the names does not fit, or all of them together */
  sorted(): string[] {
    if (this.#problem) throw this.#problem
    return [...this.#names].sort()
  }
}

function shortText(tokens: JsonTokens): string {
  return tokens.end - tokens.start > LONGEST_KEY_BYTES ? '' : tokens.text()
}
