// What an uploaded file says, as its readers give it and as it is kept.
import type { ItemName } from './named-items.ts'
import type { Warning } from './warning.ts'

/** What is kept of a file beside its README. */
export interface StoredContents {
  /** Of a skill that hosts can read file by file each with its hash, in hex. */
  files: { path: string; size: number; sha256?: string }[]
  /** Of a skill, with the types of YAML (kinds/skill/served.ts). */
  frontmatter?: Record<string, unknown>
  /** Of a workflow, what its steps are called; for the search. */
  stepNames?: string[]
  /** How the file of this version is packed, where its kind can be in more than one way. */
  packing?: string
  permissions: { steps: string[]; scripts: string[]; downloads: boolean; domains: string[] } | null
}

export interface FileContent {
  /** What the slug is made from, if the file itself says so. */
  slug: string | undefined
  name: string
  description: string
  /** The version in the manifest, for kinds that have one. */
  version: string | undefined
  meta: Record<string, unknown>
  /** Markdown. */
  readme: string | null
  /** Undefined where the file is the whole content. */
  contents: StoredContents | undefined
  /** What the file says that means nothing. */
  warnings: Warning[]
  /** What its changelog tells of this version, in Markdown. */
  changelog: string | null
  license: string | null
  /** What the steps of a workflow are called. */
  stepNames?: string[]
  /** Other items that it names, besides those in `meta`. */
  names: ItemName[]
}

/** What is wrong with a file. */
export interface Refusal {
  refused: string
}

/** What a file says that is all there is, and has no manifest, version and licence of its own. */
export const only = {
  ...{ slug: undefined, version: undefined, contents: undefined, changelog: null, license: null, names: [] },
} satisfies Partial<FileContent>
