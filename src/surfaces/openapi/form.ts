// Bytes in OpenAPI: files in forms (multipart/form-data) and files as answers.
import { z } from 'zod'
import type { ZodOpenApiMediaTypeObject } from 'zod-openapi'
import { withCommas } from '../../contract/explain.ts'
import type { UploadRules } from '../../contract/files.ts'
import { exampleOf } from './examples.ts'

/** Bytes of this type, for readers of JSON Schema 2020-12 and for those who only know `format`. */
export const binary = (contentMediaType: string, description?: string) => ({
  type: 'string' as const,
  format: 'binary',
  contentMediaType,
  ...(description && { description }),
})

/** A form with its text fields and files, and an example whose files are their names alone. */
export function formContent({ fields, files }: UploadRules): ZodOpenApiMediaTypeObject {
  const parts = Object.entries(files).map(([name, { maxBytes, maxFiles, required }]) => {
    const size = `At most ${withCommas(maxBytes)} bytes`
    const one = z
      .string()
      .meta({ override: binary('application/octet-stream', maxFiles === 1 ? size : `${size} each`) })
    const part = maxFiles === 1 ? one : z.array(one).max(maxFiles)
    return [name, required ? part : part.optional()]
  })
  const examples = Object.entries(files).map(([name, { maxFiles }]) => [
    name,
    maxFiles === 1 ? '(the bytes of the file)' : ['(the bytes of the first file)'],
  ])
  return {
    schema: z.object({ ...fields.shape, ...Object.fromEntries(parts) }),
    example: {
      ...(exampleOf(fields, 'input') as object),
      ...Object.fromEntries(examples),
    },
  }
}
