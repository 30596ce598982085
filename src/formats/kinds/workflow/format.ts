// Workflow exports (formats.md, section 3).
import { readFile, stat } from 'node:fs/promises'
import { parseJson } from '../../../runtime/untyped.ts'
import { definitionParts } from '../../definition-parts.ts'
import { only } from '../../file-content.ts'
import { definitionPermissions } from '../../file-permissions.ts'
import { MAX_WARNED_BYTES, warningsOf } from '../../warnings.ts'
import { readWorkflow } from '../../workflow.ts'
import type { KindFormat } from '../kind-format.ts'

const kind = 'workflow'

export const format: KindFormat = {
  async read(path) {
    const { name, description, meta, stepNames, names } = await readWorkflow(path)
    const { size } = await stat(path)
    const warnings = size > MAX_WARNED_BYTES ? [] : warningsOf(kind, parseJson(await readFile(path, 'utf8')))
    return { ...only, name, description, meta, readme: description || null, warnings, stepNames, names }
  },
  permissions: async (path) => definitionPermissions(kind, await readFile(path)),
  parts: async (path) => {
    const bytes = await readFile(path)
    return definitionParts(bytes, { list: 'nodes', permissions: await definitionPermissions(kind, bytes) })
  },
}
