// Examples of inputs and answers, made from the schemas: what a field says of itself, what fields of its name usually hold,
// or the simplest value there is. A test parses every one of them.
import { z } from 'zod'

type Schema = z.core.JSONSchema.BaseSchema

/** What fields of these names hold, where their schema does not say. */
const usual: Readonly<Record<string, unknown>> = {
  name: 'Invoice desk',
  title: 'The digest is sent twice when the clock changes',
  description: 'On the night of the change the workflow ran at 02:30 and again an hour later.',
  body: 'The same here, since the last version.',
  preview: 'On the night of the change the workflow ran at 02:30 and again an hour later.',
  summary: 'What changed, and what to do about it',
  username: 'mira',
  authorUsername: 'mira',
  actorUsername: 'mira',
  actorEmail: 'mira@example.com',
  email: 'mira@example.com',
  password: 'correct horse battery staple',
  message: 'If there is an account, a mail with a code is on its way',
  code: '042137',
  client_id: 'https://agent.example/client.json',
  clientId: 'https://agent.example/client.json',
  clientName: 'Morning agent',
  access_token: 'gha_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs',
  refresh_token: 'ghr_4Tn8cPz6Hs1Vd9bJ2k7xQwRm3f5yLaEu',
  scope: 'library:read offline_access',
  slug: 'invoice-desk',
  postSlug: 'a-new-library',
  version: '1.2.0',
  tag: 'mail',
  url: '/community/bugs/01a1fb4e-bb9a-7544-87a4-2785318c8f22',
  artifact_url: '/api/library/items/01a1fb4e-bb9a-7544-87a4-2785318c8f22/artifact',
  bannerUrl: '/api/images/org/01a1fb4e-bb9a-7544-87a4-2785318c8f22',
  avatarUrl: '/api/images/avatar/avatars/01a1fb4e-bb9a-7544-87a4-2785318c8f22',
  websiteUrl: 'https://mira.example',
  githubUrl: 'https://github.com/mira',
  twitterUrl: 'https://x.com/mira',
  linkedinUrl: 'https://www.linkedin.com/in/mira',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  filename: 'report.md',
  goal: 'Read invoices, check them and book them',
  tagline: 'Three roles that keep the books',
  jobTitle: 'Operations',
  company: 'Morning Ltd',
  author: 'The team',
  date: '2026-11-20',
  readme: '# Morning digest\n\nSends a summary of the night at seven.',
  reason: 'A duplicate',
  label: 'First run',
  address: '203.0.113.7',
  action: 'user.block',
  targetType: 'user',
  kind: 'workflow',
  q: 'digest',
  path: 'workflow.json',
  key: '01a1fb4e-bb9a-7544-87a4-2785318c8f22',
  color: '#b4552d',
}

/** A value that fits. `io` says whether it is given to the API or comes from it. */
export function exampleOf(type: z.ZodType, io: 'input' | 'output'): unknown {
  const schema = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as Schema
  return sample(schema, '', schema.$defs ?? {})
}

function sample(schema: Schema, name: string, defs: Record<string, Schema>): unknown {
  if (schema.$ref) return sample(defs[schema.$ref.slice('#/$defs/'.length)]!, name, defs)
  if ('example' in schema) return schema['example']
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  const options = schema.anyOf ?? schema.oneOf
  // The last of several says most: the first are the empty ones.
  if (options) return sample((options.filter(({ type }) => type !== 'null') as Schema[]).at(-1)!, name, defs)
  return simple(schema, name, defs)
}

function simple(schema: Schema, name: string, defs: Record<string, Schema>): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([field, inner]) => [field, sample(inner as Schema, field, defs)]),
      )
    case 'array':
      return [sample(schema.items as Schema, name.replace(/s$/, ''), defs)]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 3 > (schema.maximum ?? 3) ? 0 : 3)
    case 'boolean':
      return true
    default:
      return usual[name] ?? 'text'
  }
}
