// How large files and texts of versions may be, and pictures are made. The script of pages has it too (site/src/lib/ui/faces.ts).
import { factsOf, itemKindFacts } from './item-kinds.ts'

/** Of the changelog of a version, in UTF-16 units. */
export const MAX_CHANGELOG = 10_000

/** An uploaded file of each format: a larger one is refused before it is read. */
export const MAX_ARCHIVE_BYTES = Math.max(
  ...Object.values(itemKindFacts).map((one) => (one.archive ? one.maxBytes : 0)),
)
export const MAX_WORKFLOW_BYTES = factsOf('workflow').maxBytes
/** As UTF-8. */
export const MAX_ORG_BYTES = factsOf('org').maxBytes

/** In which widths pictures of accounts are made, in px: twice 24 px and 48 px. Those of 96 px are kept in twice that. */
export const avatarWidths = [48, 96] as const

/** Of a message of MCP: what can be sent in one call with files; larger files are published over REST. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024
