// Everything a caller can do in the library. Routes, OpenAPI, client and reference are read off this object.
import { z } from 'zod'
import { aboutFields, versionInput } from '../content/about/contract.ts'
import { byId, commentOperations, voteOperation } from '../content/subjects/contract.ts'
import { GrantBounds } from '../contract/bounds.ts'
import { AvatarUrlOrNull, Id, NameOrNull, textLike, UsernameOrNull } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { publishing } from './changing/contract.ts'
import { comparing } from './comparing/contract.ts'
import { anyCredential } from './items/area.ts'
import { finding, reading } from './items/finding-contract.ts'
import { item } from './items/subject.ts'
import { naming } from './naming/contract.ts'
import { outcomes } from './outcomes/contract.ts'
import { owners } from './owners/contract.ts'
import { looking } from './reading/contract.ts'
import { scanning } from './scanning/contract.ts'
import { uses } from './uses/contract.ts'
import { life } from './versions/contract.ts'

/** Votes and comments are a part of the community, where errors are { error }. Private items are found only by their owners. */
const publicItem = { ...item, one: 'a public item' }

/** Comments on items can name a version. */
const discussion = commentOperations(publicItem, byId, aboutFields)

/** What items and the library itself are asked; slices with handlers of their own follow in `library`. */
export const items = {
  ...finding,
  ...reading,
  ...publishing,
  ...voteOperation(publicItem),
  comments: { ...discussion.comments, input: discussion.comments.input.extend(versionInput) },
  comment: { ...discussion.comment, input: discussion.comment.input.extend(versionInput) },
  deleteComment: commentOperations(item, byId).deleteComment,
  me: {
    summary: 'Whose credential this is, and what it may do',
    synonyms: ['my scopes', 'token info', 'which permissions do i have'],
    method: 'GET',
    path: '/library/me',
    tool: { name: 'get_me', title: 'Get my account and scopes' },
    access: anyCredential,
    input: z.object({}),
    output: z.object({
      user: z.object({
        id: Id,
        name: NameOrNull,
        username: UsernameOrNull,
        email: textLike('mira@example.com'),
        image: AvatarUrlOrNull,
      }),
      scopes: z.array(z.string()).meta({ example: ['library:read', 'offline_access'] }),
      bounds: GrantBounds.optional(),
    }),
  },
} satisfies Contract

export const library = {
  ...items,
  ...life,
  ...looking,
  ...naming,
  ...scanning,
  ...comparing,
  ...owners,
  ...uses,
  ...outcomes,
} satisfies Contract
