// Workflow files (docs/spec/formats.md, section 3) of workflows that n8n exported: one for each. What belongs to one installation stays behind: its
// credentials, pinned and static data, addresses of webhooks, and values of parameters that are named like secrets.
import { MAX_WORKFLOW_BYTES } from '../../contract/sizes.ts'
import { quote } from '../format-error.ts'
import { at, has, idOf, listOf, textAt, valuesOf } from './fields.ts'
import { jsonRecords } from './json-records.ts'
import { SourceError, type SourceFile } from './record.ts'

export interface ConvertedWorkflow {
  name: string
  /** The file, in JSON. */
  text: string
  /** What is not in it, counted. */
  leftOut: { what: string; count: number }[]
}

const MAX_NODES = 5_000
const MAX_CONNECTIONS = 50_000
const MAX_NAME = 200
const SECRET =
  /authorization|api[-_ ]?key|access[-_ ]?key|token|secret|passw(?:or)?d|cookie|credential|private[-_ ]?key/i
/** Nodes that start a workflow and are not named so. */
const STARTS = /(?:trigger|\.(?:webhook|start|cron|interval|emailReadImap))$/i

/** Reads what `n8n export:workflow`, the menu Download, or the API gives: a workflow, an array of them, or a page. Throws `SourceError`. */
export async function* convertN8n(files: readonly SourceFile[]): AsyncIterable<ConvertedWorkflow> {
  for (const file of files) {
    for await (const { value, place } of jsonRecords(file)) {
      const workflows = Array.isArray(at(value, 'data')) ? listOf(at(value, 'data')) : [value]
      for (const workflow of workflows) yield new Conversion(workflow, `${quote(file.name)}, ${place}`).result()
    }
  }
}

class Conversion {
  readonly #workflow: unknown
  readonly #place: string
  readonly #leftOut = new Map<string, number>()
  /** The ids of nodes by the names that connections have. */
  readonly #ids = new Map<string, string>()

  constructor(workflow: unknown, place: string) {
    this.#workflow = workflow
    this.#place = place
  }

  result(): ConvertedWorkflow {
    if (!Array.isArray(at(this.#workflow, 'nodes')) || !valuesOf(at(this.#workflow, 'connections') ?? {})) {
      throw new SourceError(`${this.#place}: expected a workflow of n8n, with nodes and connections`)
    }
    const nodes = this.#nodes()
    const name = textAt(this.#workflow, 'name') ?? ''
    const file = {
      ...(idOf(at(this.#workflow, 'id')) === undefined ? {} : { id: idOf(at(this.#workflow, 'id')) }),
      name,
      description: textAt(this.#workflow, 'description') ?? '',
      is_active: false,
      nodes,
      connections: this.#connections(),
    }
    for (const part of ['pinData', 'staticData']) {
      if (Object.keys(valuesOf(at(this.#workflow, part)) ?? {}).length > 0) this.#leaveOut('data of tests and of runs')
    }
    const text = `${JSON.stringify(file, (key, value) => this.#cleaned(key, value), 2)}\n`
    if (Buffer.byteLength(text) > MAX_WORKFLOW_BYTES) throw new SourceError(`${this.#place}: expected at most 20 MiB`)
    return { name: name.toWellFormed(), text, leftOut: [...this.#leftOut].map(([what, count]) => ({ what, count })) }
  }

  #leaveOut(what: string, count = 1): void {
    this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count)
  }

  #nodes(): unknown[] {
    const all = listOf(at(this.#workflow, 'nodes'))
    if (all.length > MAX_NODES) throw new SourceError(`${this.#place}: a workflow has at most ${MAX_NODES} nodes`)
    return all.flatMap((node, position) => this.#node(node, position) ?? [])
  }

  #node(node: unknown, position: number): unknown {
    const type = textAt(node, 'type')?.toWellFormed().replaceAll('\0', '')
    const name = textAt(node, 'name')
    if (!type || type.length > MAX_NAME) return this.#leaveOut('nodes without a type')
    if (/\.stickyNote$/.test(type)) return this.#leaveOut('sticky notes')
    const id = `n${position + 1}`
    if (name !== undefined && !this.#ids.has(name)) this.#ids.set(name, id)
    if (Object.keys(valuesOf(at(node, 'credentials')) ?? {}).length > 0) this.#leaveOut('credentials of nodes')
    if (has(node, 'webhookId')) this.#leaveOut('addresses of webhooks')
    const [x, y] = listOf(at(node, 'position'))
    return {
      id,
      type: STARTS.test(type) ? `trigger.${type}` : type,
      name: name ?? '',
      position: { x: coordinate(x), y: coordinate(y) },
      disabled: at(node, 'disabled') === true,
      config: valuesOf(at(node, 'parameters')) ?? {},
      schema: null,
    }
  }

  /** `{"From": {"main": [[{"node": "To", "type": "main", "index": 0}], ...]}}`: by the name of a node, the kind of its way out, and its number. */
  #connections(): unknown[] {
    const connections: unknown[] = []
    for (const [from, ways] of Object.entries(valuesOf(at(this.#workflow, 'connections')) ?? {})) {
      for (const [kind, outputs] of Object.entries(valuesOf(ways) ?? {})) {
        for (const [index, targets] of listOf(outputs).entries()) {
          for (const target of listOf(targets)) this.#connect(connections, [from, handleOf(kind, index)], target)
        }
      }
    }
    return connections
  }

  #connect(connections: unknown[], [from, handle]: [string, string], target: unknown): void {
    const source = this.#ids.get(from)
    const goal = this.#ids.get(textAt(target, 'node') ?? '')
    if (source === undefined || goal === undefined) {
      this.#leaveOut('connections of nodes that are not there')
      return
    }
    if (connections.length >= MAX_CONNECTIONS)
      throw new SourceError(`${this.#place}: a workflow has at most ${MAX_CONNECTIONS} connections`)
    const index = at(target, 'index')
    connections.push({
      id: `c${connections.length + 1}`,
      source,
      source_handle: handle,
      target: goal,
      target_handle: handleOf(textAt(target, 'type') ?? 'main', Number.isSafeInteger(index) ? Number(index) : 0),
    })
  }

  /** Texts that can be kept, without the values of what is named like a secret: a field, or a pair of a name and a value as headers have. */
  #cleaned(key: string, value: unknown): unknown {
    if (typeof value === 'string') {
      if (SECRET.test(key) && value !== '' && !isExpression(value)) return this.#withoutSecret()
      return value.toWellFormed().replaceAll('\0', '')
    }
    const [name, held] = [textAt(value, 'name'), textAt(value, 'value')]
    if (name === undefined || !held || !SECRET.test(name) || isExpression(held)) return value
    return { ...valuesOf(value), value: this.#withoutSecret() }
  }

  #withoutSecret(): string {
    this.#leaveOut('values of parameters that are named like secrets')
    return ''
  }
}

/** An expression takes its value from elsewhere: `={{ $json.token }}`. */
const isExpression = (value: string) => /^=\{\{[^'"`]*\}\}$/.test(value)

const coordinate = (value: unknown) => (Number.isFinite(value) ? Math.round(Number(value)) : 0)

/** `main` is the usual way; the second is `main:1`. */
const handleOf = (kind: string, index: number) => `${kind.slice(0, MAX_NAME)}${index > 0 ? `:${index}` : ''}`
