// How large an uploaded file of each format may be. A larger one is refused before it is read.

export const MAX_ARCHIVE_BYTES = 20 * 1024 * 1024
export const MAX_WORKFLOW_BYTES = 20 * 1024 * 1024
/** As UTF-8. */
export const MAX_ORG_BYTES = 500_000
