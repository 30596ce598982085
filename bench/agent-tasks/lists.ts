// The lists of tools that were tried, and what each costs an agent before it does anything.
import { api } from '../../src/api.ts'
import { bind } from '../../src/core/bind.ts'
import { briefly } from '../../src/surfaces/mcp/lists.ts'
import { inputSchemaOf, outputSchemaOf } from '../../src/surfaces/mcp/schema.ts'
import { toolboxOf } from '../../src/surfaces/mcp/toolbox.ts'
import { descriptionOf, offered } from '../../src/surfaces/mcp/tools.ts'
import { tokensOf } from './tokens.ts'

const nothing = () => undefined
const handlers = new Proxy({}, { get: () => new Proxy({}, { get: () => nothing }) })
const operations = bind(api, handlers as never)
/** The tool of an operation, by its name. */
export const toolNames = new Map(operations.map(({ name, operation }) => [name, operation.tool?.name]))
const operationNames = new Map(
  operations.flatMap(({ name, operation }) => (operation.tool ? [[operation.tool.name, name]] : [])),
)
export const operationOf = (tool: string): string => operationNames.get(tool) ?? tool

const box = toolboxOf(operations)
const { all, short, two } = box.lists
type Tools = typeof all

const writes = (name: string) => /^(create|vote|comment|run|publish|report|read_notif)/.test(name)
/** One tool for each subject, with the action as an argument: what its tools take together. */
function bySubject(): Tools {
  const subjects = Map.groupBy(all, ({ name }) => name.split('_').slice(1).join('_').replace(/s$/, '') || name)
  return [...subjects].map(([name, tools]) => {
    const actions = tools.map((tool) => tool.name.split('_')[0])
    const properties = Object.assign(
      {},
      ...tools.map(
        ({ inputSchema }) =>
          briefly({ name, description: '', inputSchema, annotations: {} } as never).inputSchema.properties,
      ),
    )
    const description = tools.map((tool) => `${tool.name.split('_')[0]}: ${tool.title}`).join('. ')
    const inputSchema = {
      type: 'object' as const,
      properties: { action: { type: 'string', enum: actions }, ...properties },
    }
    return { name, description, inputSchema, annotations: { destructiveHint: false, openWorldHint: false } }
  })
}

const plain = offered(operations).map(({ name, operation }) => ({
  name: name.replace('.', '_'),
  description: descriptionOf(operation),
  inputSchema: inputSchemaOf(operation),
  outputSchema: outputSchemaOf(operation),
}))

const costOf = (tools: readonly object[]) => ({ tools: tools.length, tokens: tokensOf(JSON.stringify(tools)) })
const names = (tools: Tools) => new Set(tools.map(({ name }) => name))
const bare = all.map(({ outputSchema: _, ...tool }) => tool)
const brief = all.map((tool) => briefly(tool as never)) as Tools

/** A list, and which tools a session with it has: an operation without one is found first. */
export const lists = {
  plain: { title: 'one tool for each operation', ...costOf(plain), listed: new Set<string>() },
  all: { title: 'every tool, whole (the list of before)', ...costOf(all), listed: names(all) },
  bare: { title: 'every tool, without schemas of answers', ...costOf(bare), listed: names(all) },
  brief: { title: 'every tool, in few words', ...costOf(brief), listed: names(all) },
  subject: { title: 'one tool for each subject, with an action', ...costOf(bySubject()), listed: names(all) },
  reading: {
    title: 'by the scopes of a token that reads',
    ...costOf(brief.filter(({ name }) => !writes(name))),
    listed: new Set([...names(all)].filter((name) => !writes(name))),
  },
  short: { title: 'the short list (the default)', ...costOf(short), listed: names(short) },
  two: { title: 'two tools: find and call', ...costOf(two), listed: new Set<string>() },
  script: {
    title: 'two tools: search and a script',
    ...costOf(toolboxOf(operations, { hasScripts: true }).lists.two),
    listed: new Set<string>(),
  },
}
export type Way = keyof typeof lists
