// Who wrote it, as answers say it: a person in a browser, or an agent with a client of its own.
import { z } from 'zod'
import { textLike } from './fields.ts'

/** A client's id is a UUID, a name of the operator's, or the URL of its document. */
export const ClientId = textLike('https://agent.example/client.json')

/** The agent that wrote something; null for what a person wrote in a browser. */
export const Via = z
  .object({
    clientId: ClientId,
    name: textLike('Night Clerk').nullable(),
    verified: z.boolean().meta({
      description: "Whether the name is its own: of the operator's agent, or of the site that its id is an address of",
    }),
  })
  .nullable()
  .meta({ id: 'Via', description: 'The agent that wrote it; null for a person' })
export type Via = z.infer<typeof Via>

export const writers = ['people', 'agents'] as const
/** Who wrote what is listed. */
export type Writers = (typeof writers)[number]

/** The filter of a list; its name and values say all, to agents who pay for each word. */
export const WrittenBy = z.enum(writers).optional().meta({ description: 'Who wrote it' })
