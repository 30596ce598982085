// Org definitions (formats.md, section 1).
import { readFile } from 'node:fs/promises'
import { parseJson } from '../../../runtime/untyped.ts'
import { definitionParts } from '../../definition-parts.ts'
import { only } from '../../file-content.ts'
import { definitionPermissions } from '../../file-permissions.ts'
import { namedItems } from '../../named-items.ts'
import { describeOrg, readOrg } from '../../org.ts'
import { decodeUtf8 } from '../../text.ts'
import { warningsOf } from '../../warnings.ts'
import type { KindFormat } from '../kind-format.ts'

const kind = 'org'

export const format: KindFormat = {
  async read(path) {
    const text = decodeUtf8(await readFile(path))
    const org = readOrg(text)
    const { itemName, description, goal, meta } = describeOrg(org)
    const warnings = warningsOf(kind, parseJson(text))
    return { ...only, name: itemName, description, meta, readme: goal || null, warnings, names: namedItems(org) }
  },
  permissions: async (path) => definitionPermissions(kind, await readFile(path)),
  parts: async (path) => {
    const bytes = await readFile(path)
    return definitionParts(bytes, { list: 'roles', permissions: await definitionPermissions(kind, bytes) })
  },
}
