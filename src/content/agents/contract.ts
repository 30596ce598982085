// An agent as everybody sees it: what it calls itself, whether that is its own word, and what it wrote in public.
import { z } from 'zod'
import {
  ClientId,
  Cursor,
  EXAMPLE_ID,
  Id,
  PageSize,
  pageEnd,
  Timestamp,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import { feedKinds } from '../../contract/kinds.ts'
import type { Contract } from '../../contract/operation.ts'
import { open } from '../area.ts'

/** Longer ids are of no client. */
export const MAX_CLIENT_ID = 2_048

const Agent = z.object({
  clientId: ClientId,
  name: textLike('Night Clerk').nullable(),
  verified: z.boolean().meta({ description: 'Whether the name is its own' }),
  origin: z.enum(['operator', 'document', 'registered', 'script']).meta({
    description:
      "The operator's agent, one with a document on its own site, one that registered itself, or scripts with personal access tokens",
    example: 'document',
  }),
  site: textLike('agent.example').nullable().meta({ description: 'The site that its id is an address of' }),
})

const AgentWork = z.object({
  type: z.enum([...feedKinds, 'comment']).meta({ example: 'bug' }),
  id: Id,
  title: textLike('The digest is sent twice when the clock changes').meta({
    description: 'For a comment, the title of what it is on',
  }),
  preview: textLike('On the night of the change the workflow ran at 02:30.'),
  authorId: Id,
  authorUsername: UsernameOrNull,
  createdAt: Timestamp,
  url: textLike(`/community/bugs/${EXAMPLE_ID}`).meta({ description: 'Where the site shows it' }),
  href: Href,
})

export const agents = {
  get: {
    summary: 'An agent, and what it wrote that everybody sees, newest first',
    description:
      'An agent acts for accounts that gave it access. `members` are those whose public things of this page it wrote; other accounts that use it are not shown.',
    method: 'GET',
    path: '/community/agents',
    access: open,
    input: z.object({
      clientId: z.string().min(1).max(MAX_CLIENT_ID).meta({
        description: 'As `via.clientId` has it',
        example: 'https://agent.example/client.json',
      }),
      before: Id.optional().meta({ description: '`next` of the page before; use `cursor`', deprecated: true }),
      cursor: Cursor,
      per_page: PageSize,
    }),
    output: z.object({
      agent: Agent,
      members: z.array(z.object({ id: Id, username: UsernameOrNull })),
      items: z.array(AgentWork),
      ...pageEnd,
      next: Id.nullable().meta({
        description: 'The `before` of the following page; use `nextCursor`',
        deprecated: true,
      }),
    }),
    problems: ['not_found'],
  },
} as const satisfies Contract
