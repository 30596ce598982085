// The validators, which are bundled from those of the server (build.js), and what they say. Loaded by the commands that need them.

import type { ItemKind } from '../../src/contract/item-kinds.ts'
import type { NewFiles } from '../../src/formats/kinds/template.ts'

export type LintedKind = ItemKind | 'manifest'

export interface LintProblem {
  /** dotted: `roles.1.id`; a file of a package; empty for the whole */
  path: string
  /** in the JSON text, from 1; null where there is none */
  line: number | null
  message: string
}

export interface LintResult {
  file: string
  /** null where it looks like nothing that the library takes */
  kind: LintedKind | null
  /** Of an automation. */
  id: string | null
  name: string | null
  version: string | null
  /** What the library would refuse. */
  errors: LintProblem[]
  /** What is accepted and means nothing. */
  warnings: LintProblem[]
}

export interface Packed {
  bytes: Uint8Array
  /** `<id>-<version>.mpkg` */
  filename: string
  files: string[]
}

interface Validators {
  lint(path: string, kind?: LintedKind): Promise<LintResult>
  packFolder(folder: string): Promise<Packed>
  filesOf(kind: ItemKind, name: string, server: string | undefined): Promise<NewFiles>
}

/** The source while developing, the bundle in the package. */
const MODULE = import.meta.url.endsWith('.ts') ? '../validators/main.ts' : './validators.js'

export const validators = (): Promise<Validators> => import(MODULE) as Promise<Validators>
