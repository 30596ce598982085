// What a valid file says that means nothing: a field that only resembles a known one, a reference to nothing, a value of a type that
// is not read. A warning refuses nothing.

import type { SchemaKind } from '../contract/files.ts'
import { nearest } from '../search/typos.ts'
import { automationWarnings } from './automation-warnings.ts'
import { orgWarnings } from './org-warnings.ts'
import { isObject } from './permission-set.ts'
import { type JsonSchema, schemaOf } from './schemas.ts'
import { Findings, type Warning } from './warning.ts'
import { workflowWarnings } from './workflow-warnings.ts'

export type { Warning } from './warning.ts'

/** Larger files get no warnings: the value is held in memory for them. */
export const MAX_WARNED_BYTES = 1024 * 1024
/** So many unknown fields are compared with the known ones. */
const MAX_UNKNOWN_FIELDS = 2_000

/**
 * The first warnings about a file that its validator accepts.
 *
 * @param value the parsed file; of an automation, its manifest
 * @param paths the files of an automation, if they are known
 */
export function warningsOf(kind: SchemaKind, value: unknown, paths?: readonly string[]): Warning[] {
  const findings = new Findings()
  if (!isObject(value)) return []
  new UnknownFields(findings).look(value, schemaOf(kind, ''), [])
  if (kind === 'org') orgWarnings(value, findings)
  else if (kind === 'workflow') workflowWarnings(value, findings)
  else automationWarnings(value, { paths, findings })
  return findings.list
}

/** Fields that no reader knows, with a name that is almost one that readers know. */
class UnknownFields {
  readonly #findings: Findings
  #left = MAX_UNKNOWN_FIELDS

  constructor(findings: Findings) {
    this.#findings = findings
  }

  look(value: unknown, schema: JsonSchema, path: readonly (string | number)[]): void {
    if (this.#findings.isFull) return
    if (Array.isArray(value)) {
      const { items } = schema
      if (!isObject(items)) return
      for (const [index, entry] of value.entries()) this.look(entry, items, [...path, index])
    } else if (isObject(value) && isObject(schema['properties'])) {
      const { properties } = schema
      const words = new Map(Object.keys(properties).map((name) => [plainOf(name), name]))
      for (const [name, inner] of Object.entries(value)) {
        const known = Object.hasOwn(properties, name) ? properties[name] : undefined
        if (isObject(known)) this.look(inner, known, [...path, name])
        else this.#unknown(name, { words, path, value })
      }
    }
  }

  #unknown(
    name: string,
    at: { words: ReadonlyMap<string, string>; path: readonly (string | number)[]; value: object },
  ): void {
    if (name.length > 60 || this.#left-- <= 0) return
    const plain = plainOf(name)
    const meant = at.words.get(plain) ?? at.words.get(nearest(plain, at.words.keys())[0] ?? '')
    // Beside the field that it resembles it is one of the program's own.
    if (meant === undefined || meant in at.value) return
    this.#findings.add([...at.path, name], `is not read; ${meant} is`)
  }
}

/** `reportsTo`, `reports-to` and `REPORTS_TO` are the same word. */
const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
