// An invitation as the API responds with it: to own or maintain an item, to take it over, or to belong to a team.
import { z } from 'zod'
import { ExpiresAt, Id, NameOrNull, Timestamp, text, textLike, UsernameOrNull } from '../../contract/fields.ts'
import { kinds } from '../items/item-contract.ts'

export const Account = z.object({ id: Id, username: UsernameOrNull, name: NameOrNull })
export const Username = text(3, 24).meta({ example: 'mira', description: 'The username of the account' })

export const Invitation = z
  .object({
    id: Id,
    role: z.enum(['owner', 'maintainer', 'member', 'transfer']).meta({ example: 'maintainer' }),
    item: z
      .object({ id: Id, kind: z.enum(kinds), slug: textLike('morning-digest'), name: textLike('Morning digest') })
      .optional()
      .meta({ description: 'What it is about, unless that is a team' }),
    team: z
      .object({ slug: textLike('night-shift'), name: textLike('Night shift') })
      .optional()
      .meta({ description: 'The team to join, or the one to which the item is offered' }),
    account: Account.optional().meta({
      description: 'Who is invited; every owner of the team may accept what is offered to it',
    }),
    invited_by: Account,
    created_at: Timestamp,
    expires_at: ExpiresAt,
  })
  .meta({ id: 'Invitation' })
