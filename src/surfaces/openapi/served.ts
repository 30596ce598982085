// The description of the API that a running server gives: the derived file at the server's own address. To read it takes 50 ms; to make
// it takes more than a second, in which nothing else would be answered.
import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import { operationsOff, type PartsOff } from '../../contract/parts.ts'
import { dataInNameOf } from '../../language/named.ts'
import { withoutValuesOff } from '../json-schema.ts'

/** The origin in the derived file. */
export const DERIVED_ORIGIN = 'http://localhost:3000'

const file = new URL('../../../docs/openapi.json', import.meta.url)

/**
 * The text of the OpenAPI document of the server of this name at `baseUrl`, an origin, without the operations of parts that are off. Rejects
 * when docs/openapi.json is missing.
 */
export async function openApiText(config: Pick<Config, 'baseUrl' | 'name' | 'partsOff' | 'ai'>): Promise<string> {
  const { baseUrl, name } = config
  const text = await readFile(file, 'utf8')
  // An address is the beginning of a JSON string.
  const own = text.replaceAll(`"${DERIVED_ORIGIN}`, `"${JSON.stringify(baseUrl).slice(1, -1)}`)
  const document: Document = dataInNameOf(name, JSON.parse(own))
  const off = operationsOff(config)
  return JSON.stringify(off.key === '' ? document : withoutValuesOff(without(document, off), off))
}

interface Document {
  tags: { name: string }[]
  paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>
  components: Record<string, Record<string, unknown>>
}

/** The document without the operations of parts that are off, and without what only they have named. */
function without({ tags, paths, components, ...rest }: Document, { hasOperation }: PartsOff): Document {
  const isThere = ({ operationId = '' }: { operationId?: string }) => !hasOperation(operationId)
  const left = Object.entries(paths).flatMap(([path, methods]) => {
    const some = Object.entries(methods).filter(([, operation]) => isThere(operation))
    return some.length > 0 ? [[path, Object.fromEntries(some)] as const] : []
  })
  const used = new Set(left.flatMap(([, methods]) => Object.values(methods).flatMap((one) => one.tags ?? [])))
  const kept = { ...rest, tags: tags.filter(({ name }) => used.has(name)), paths: Object.fromEntries(left) }
  return { ...kept, components: usedOf(components, kept) }
}

const REFERENCE = /"#\/components\/(\w+)\/([^"]+)"/g

/** The components that a document names, and those that they name. */
function usedOf({ securitySchemes = {}, ...components }: Document['components'], document: object) {
  const found = new Map<string, readonly [group: string, name: string]>()
  const waiting = [JSON.stringify(document)]
  for (const text of waiting) {
    for (const [, group = '', name = ''] of text.matchAll(REFERENCE)) {
      const component = components[group]?.[name]
      if (component === undefined || found.has(`${group}/${name}`)) continue
      found.set(`${group}/${name}`, [group, name])
      waiting.push(JSON.stringify(component))
    }
  }
  const groups = Object.entries(components).map(
    ([group, some]) =>
      [group, Object.fromEntries(Object.entries(some).filter(([name]) => found.has(`${group}/${name}`)))] as const,
  )
  return { ...Object.fromEntries(groups), securitySchemes }
}
