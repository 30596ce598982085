// What changes from one version of an item to another: first what it may do, then files, steps and nodes.
import type { ItemKind } from '../../contract/item-kinds.ts'
import type { FilePart, ItemParts, Part } from '../item-parts.ts'
import { comparePermissions } from '../permissions.ts'
import { type Hunk, lineDiffOf } from '../text-diff.ts'
import { formatOf } from './list.ts'

/** Of each list; the rest is left out, and the result says so. */
const MAX_LISTED = 500
/** Of all differences of texts together, in characters. */
const MAX_DIFF_LENGTH = 200_000

type File = Omit<FilePart, 'text'>
type NamedPart = Pick<Part, 'name' | 'type'>

export interface ItemComparison {
  permissions: ReturnType<typeof comparePermissions>
  files: {
    added: File[]
    removed: File[]
    /** `diff` is null for what is no small text, and when there is too much of it. */
    changed: { path: string; from: Omit<File, 'path'>; to: Omit<File, 'path'>; diff: Hunk[] | null }[]
    unchanged: number
  }
  steps: Record<'added' | 'removed' | 'changed', NamedPart[]>
  nodes: Record<'added' | 'removed' | 'changed', NamedPart[]>
  /** Something is left out of these lists; permissions are always whole. */
  truncated: boolean
}

const nothing: ItemParts = { permissions: [], files: [], steps: [], nodes: [], truncated: false }

/** Compares two files of a kind, or with nothing: everything of the later one is new then. */
export async function compareFiles({
  kind,
  from,
  to,
}: {
  kind: ItemKind
  from: string | undefined
  to: string
}): Promise<ItemComparison> {
  const { parts } = await formatOf(kind)
  return compareParts(from === undefined ? nothing : await parts(from), await parts(to))
}

function compareParts(from: ItemParts, to: ItemParts): ItemComparison {
  const files = compareEach(from.files, to.files, ({ path }) => path)
  const steps = compareEach(from.steps, to.steps, ({ id }) => id)
  const nodes = compareEach(from.nodes, to.nodes, ({ id }) => id)
  const lists = [files, steps, nodes].flatMap(({ added, removed, changed }) => [added, removed, changed])
  return {
    permissions: comparePermissions(from.permissions, to.permissions),
    files: {
      added: files.added.slice(0, MAX_LISTED).map(withoutText),
      removed: files.removed.slice(0, MAX_LISTED).map(withoutText),
      changed: changedFiles(files.changed.slice(0, MAX_LISTED)),
      unchanged: files.unchanged,
    },
    steps: namedParts(steps),
    nodes: namedParts(nodes),
    truncated: from.truncated || to.truncated || lists.some(({ length }) => length > MAX_LISTED),
  }
}

interface Changes<One> {
  added: One[]
  removed: One[]
  changed: [from: One, to: One][]
  unchanged: number
}

function compareEach<One extends { sha256: string }>(
  from: readonly One[],
  to: readonly One[],
  keyOf: (one: One) => string,
): Changes<One> {
  const before = new Map(from.map((one) => [keyOf(one), one]))
  const after = new Set(to.map(keyOf))
  const changes: Changes<One> = {
    added: [],
    removed: from.filter((one) => !after.has(keyOf(one))),
    changed: [],
    unchanged: 0,
  }
  for (const one of to) {
    const old = before.get(keyOf(one))
    if (!old) changes.added.push(one)
    else if (old.sha256 !== one.sha256) changes.changed.push([old, one])
    else changes.unchanged += 1
  }
  return changes
}

const withoutText = ({ path, size, sha256 }: FilePart): File => ({ path, size, sha256 })

function changedFiles(changed: [from: FilePart, to: FilePart][]): ItemComparison['files']['changed'] {
  let left = MAX_DIFF_LENGTH
  return changed.map(([from, to]) => {
    const diff = from.text === undefined || to.text === undefined || left <= 0 ? null : lineDiffOf(from.text, to.text)
    const length = (diff ?? []).flatMap(({ parts }) => parts).reduce((sum, { text }) => sum + text.length, 0)
    left -= length
    const isShown = left >= 0
    return {
      path: to.path,
      from: { size: from.size, sha256: from.sha256 },
      to: { size: to.size, sha256: to.sha256 },
      diff: isShown ? diff : null,
    }
  })
}

function namedParts({ added, removed, changed }: Changes<Part>): ItemComparison['nodes'] {
  const named = (parts: Part[]) => parts.slice(0, MAX_LISTED).map(({ name, type }): NamedPart => ({ name, type }))
  return { added: named(added), removed: named(removed), changed: named(changed.map(([, to]) => to)) }
}
