// What was imported of me: by an account at the external provider, or by who I proved to be at a tracker, whom the import knows.
import { z } from 'zod'
import { EXAMPLE_ID, Id, textLike } from '../../contract/fields.ts'
import { sourceNames } from '../../contract/import-sources.ts'
import type { Contract } from '../../contract/operation.ts'
import { signedIn } from '../../identity/area.ts'
import { importActions } from './contract.ts'

/** So many are offered at once. */
export const MOST_OFFERED = 50

const Offer = z
  .object({
    id: Id.meta({ description: 'The account that the import made' }),
    source: z.enum(sourceNames).meta({ example: 'gitlab' }),
    import: textLike('acme/looms').meta({ description: 'What it came from, such as a repository' }),
    username: textLike('wanda').nullable(),
    name: textLike('Wanda Weaver').nullable(),
    by: z.enum(['id', 'username']).meta({ description: 'What it was found by; a user name counts for ten minutes' }),
  })
  .meta({ id: 'ImportedPerson' })

export const importClaims = {
  list: {
    summary: 'What was imported of a person whom the external provider says I am, or who I proved to be at a tracker',
    description:
      'By the id that the import has of the person there. Only where it has none, the user name counts, for ten minutes after the provider said it, or after it was proved. What is proved at a tracker counts for imports of the places that are linked.',
    synonyms: ['take over my imported posts', 'my account of before', 'claim imported account'],
    method: 'GET',
    path: '/auth/imported',
    access: signedIn,
    input: z.object({}),
    output: z.object({ items: z.array(Offer) }),
  },
  takeOver: {
    summary: 'Take over what was imported of me',
    description:
      'What that account wrote and voted becomes mine in the background, and the account goes. A credential must have been used in this session within ten minutes: 403 reauthentication_required otherwise.',
    method: 'POST',
    kind: 'account',
    path: '/auth/imported/{id}',
    access: signedIn,
    audit: [importActions['take-over']],
    input: z.object({ id: Id.meta({ example: EXAMPLE_ID }) }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'conflict', 'reauthentication_required'],
  },
} satisfies Contract
