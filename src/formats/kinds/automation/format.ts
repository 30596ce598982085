// Automations (formats.md, section 2).
import { Archive } from '../../archive.ts'
import { archiveParts } from '../../archive-parts.ts'
import { readAutomation } from '../../automation.ts'
import { textsOf } from '../../file-permissions.ts'
import { permissionsOf } from '../../permissions.ts'
import { warningsOf } from '../../warnings.ts'
import type { KindFormat } from '../kind-format.ts'

const kind = 'automation'

export const format: KindFormat = {
  async read(path) {
    const { manifest, files, permissions, meta, filename: _name, ...automation } = await readAutomation(path)
    const paths = files.map((file) => file.path)
    const warnings = warningsOf(kind, manifest, paths)
    return { ...automation, meta: { ...meta }, contents: { files, permissions }, warnings }
  },
  async permissions(path) {
    await using archive = await Archive.open(path)
    return permissionsOf({ kind, files: await textsOf(archive) })
  },
  async parts(path) {
    await using archive = await Archive.open(path)
    return archiveParts(archive, (files) => permissionsOf({ kind, files }))
  },
}
