// What a tool takes and gives as JSON Schema, read off an operation's contract and kept short: an agent pays for each word.
import { z } from 'zod'
import { Id } from '../../contract/fields.ts'
import type { UploadRules } from '../../contract/files.ts'
import { contentTypesOf } from '../../contract/files.ts'
import type { Operation } from '../../contract/operation.ts'
import { required } from '../../runtime/untyped.ts'

export interface ObjectSchema {
  type: 'object'
  properties?: Record<string, object>
  required?: string[]
  [keyword: string]: unknown
}

/** A file as an agent sends it: text, or base64 for what is not. */
const File = z.object({
  filename: z.string(),
  content: z.string().optional().meta({ description: 'The text of the file' }),
  contentBase64: z.string().optional().meta({ description: 'In place of content, for bytes that are no text' }),
})
export type GivenFile = z.infer<typeof File>
export const isFile = (value: unknown): value is GivenFile => File.safeParse(value).success

function filesOf({ files }: UploadRules): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(files).map(([name, { maxFiles, required }]) => {
      const given = maxFiles === 1 ? File : z.array(File).max(maxFiles)
      return [name, required ? given : given.optional()]
    }),
  )
}

/** Path, query, body and form of an operation as one object. */
export function inputSchemaOf({ input, deferredBody, upload }: Operation): ObjectSchema {
  const shape = {
    ...input.shape,
    ...deferredBody?.shape,
    ...(upload && { ...upload.fields.shape, ...filesOf(upload) }),
  }
  return schemaOf(z.object(shape), 'input')
}

/** Undefined for an answer that is a file. */
export function outputSchemaOf({ output, tool }: Operation): ObjectSchema | undefined {
  return contentTypesOf(output) ? undefined : schemaOf(tool?.outline ?? output, 'output')
}

/** Bounds that the schema of an answer leaves out. */
const NOT_SAID = ['additionalProperties', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'] as const

/** Said of numbers that have no bound. */
const isSafe = (bound = 0) => Math.abs(bound) === Number.MAX_SAFE_INTEGER

function schemaOf(type: z.ZodType, io: 'input' | 'output'): ObjectSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      delete jsonSchema['example']
      delete jsonSchema['id']
      for (const bound of ['minimum', 'maximum'] as const) if (isSafe(jsonSchema[bound])) delete jsonSchema[bound]
      if (jsonSchema.format) delete jsonSchema.pattern
      if (io === 'input') return
      if (jsonSchema.description === Id.description) delete jsonSchema.description
      // An answer may grow, and what it holds was checked when it came in.
      for (const keyword of NOT_SAID) {
        if (keyword !== 'additionalProperties' || jsonSchema[keyword] === false) delete jsonSchema[keyword]
      }
    },
  })
  return atRoot(schema as ObjectSchema)
}

/** A schema with a name of its own is only referred to; a tool's must be an object itself. */
function atRoot({ $ref, ...schema }: ObjectSchema): ObjectSchema {
  if (typeof $ref !== 'string') return schema as ObjectSchema
  const { [$ref.slice('#/$defs/'.length)]: root, ...others } = schema['$defs'] as Record<string, ObjectSchema>
  return { ...required(root), ...(Object.keys(others).length > 0 && { $defs: others }) }
}
