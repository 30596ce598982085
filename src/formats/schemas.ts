// The JSON Schemas (2020-12) of the three formats, for editors and other programs. Those of orgs and manifests are read off the
// validators. Workflows are read token by token, so their schema is written here. A test compares all of them with the validators.
import { z } from 'zod'
import { type SchemaKind, schemaPath } from '../contract/files.ts'
import { Manifest } from './manifest.ts'
import { OrgDefinition } from './org-definition.ts'
import { writtenOf } from './shape.ts'

export type JsonSchema = Record<string, unknown>

/** Rules that a JSON Schema cannot express. */
const BEYOND = {
  org: 'Also refused: more than 500,000 bytes, text that is not UTF-8 or has a byte order mark, NUL or half a surrogate pair in any text, and numbers beyond the range of a double.',
  workflow:
    'Also refused: more than 20 MiB, text that is not UTF-8 or has a byte order mark, NUL or half a surrogate pair in the name, the description, a type or the id of an automation, and more than 256 KiB of types and ids.',
  automation:
    'Also refused: more than 1 MiB, text that is not UTF-8 or has a byte order mark, NUL or half a surrogate pair in any text, and more than 256 KiB of actions and domains. The archive around it has rules of its own.',
} satisfies Record<SchemaKind, string>

const titles = {
  org: 'Org definition',
  workflow: 'Workflow export',
  automation: 'Manifest of an automation (automation.json)',
} satisfies Record<SchemaKind, string>

const string = { type: 'string' }
const anything = (description: string) => ({ description })

/** Fields without a type are read if they have the type that their description names; otherwise they are stored unread. */
const workflow = {
  type: 'object',
  required: ['nodes'],
  properties: {
    id: anything('Text'),
    name: anything('Text; the name of the item'),
    description: anything('Text; the description of the item'),
    version: anything('An integer that the exporting program counts'),
    is_active: anything('Boolean'),
    created_at: anything('Text'),
    updated_at: anything('Text'),
    nodes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['type'],
        properties: {
          id: anything('Text; what connections name'),
          type: { ...string, minLength: 1 },
          name: anything('Text'),
          position: anything('{x, y}'),
          disabled: anything('Boolean'),
          config: anything('Object'),
          schema: anything('Object or null'),
        },
      },
    },
    connections: { type: ['array', 'null'] },
    automations: anything('The automations inside, by id: {version, sha256, mpkg}'),
    unbundledAutomations: anything(
      'The automations that have to be installed, by id: {version, reason, hint, localOnly}',
    ),
  },
}

/** Names that the formats know beside those of the validators: real files carry them (formats.md). */
const alsoKnown = {
  org: {},
  workflow: {},
  automation: {
    description: anything('Text'),
    publisher: anything('{name, url}'),
    requires: anything('{native, fragments}'),
    policy: anything('{tier}'),
    engine: anything('Text; a range of versions'),
    license: anything('Text'),
    category: anything('Text'),
    icon: anything('Text; the path of a file'),
    login: anything('Object'),
    defaults: anything('Object'),
    permissions: anything('{steps, scripts, downloads, callActions}'),
  },
} satisfies Record<SchemaKind, JsonSchema>

const bodies: Record<SchemaKind, () => JsonSchema> = {
  org: () => jsonOf(OrgDefinition),
  workflow: () => workflow,
  automation: () => jsonOf(Manifest),
}

/** The schema of a kind, as the server at `baseUrl` publishes it. */
export function schemaOf(kind: SchemaKind, baseUrl: string): JsonSchema {
  const body = bodies[kind]()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: baseUrl + schemaPath(kind),
    title: titles[kind],
    description: BEYOND[kind],
    ...body,
    properties: {
      $schema: anything('The address of this schema'),
      ...alsoKnown[kind],
      ...(body['properties'] as JsonSchema),
    },
  }
}

function jsonOf(schema: z.ZodType): JsonSchema {
  const { $schema: _version, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const known = writtenOf(zodSchema)
      // Further fields are allowed without a word about it.
      if (jsonSchema.additionalProperties !== false) delete jsonSchema.additionalProperties
      if (!known) return
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
      Object.assign(jsonSchema, known.json, known.entry && { items: jsonOf(known.entry) })
    },
  })
  return json
}
