// Who I am at other trackers: a member proves it by a code that they write there.
import { z } from 'zod'
import { Timestamp, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { signedIn } from '../../identity/area.ts'
import { trackerAccountActions } from '../../identity/audit-actions.ts'
import { Login, ServiceField } from './contract.ts'

/** A code is read within so many seconds. */
export const CODE_SECONDS = 3_600

const Person = textLike('octocat').meta({ description: 'My user name there' })

const OwnTracker = z
  .object({
    service: ServiceField,
    login: Person.nullable().meta({ description: 'Who acts for me there because I proved it; null for no one' }),
    linkedAt: Timestamp.nullable(),
    waiting: z
      .object({ login: Person, expiresAt: Timestamp })
      .nullable()
      .meta({ description: 'A code that was not read there yet' }),
    places: z
      .array(
        z.object({
          name: textLike('acme/looms').meta({ description: 'The repository, project or team' }),
          board: textLike('workflows').nullable().meta({ description: 'null for the first board' }),
          state: z.enum(['on', 'paused']),
          people: z.array(Person).meta({ description: 'Who acts for me in this place' }),
        }),
      )
      .meta({ description: 'Those that are linked with a board that I read' }),
  })
  .meta({ id: 'OwnTracker' })

const path = '/account/trackers'

export const trackerAccounts = {
  list: {
    summary: 'Who acts for me at the trackers that are linked with boards here',
    synonyms: ['link my GitHub account', 'link my GitLab account', 'am I linked with the tracker'],
    method: 'GET',
    path,
    access: signedIn,
    input: z.object({}),
    output: z.object({ items: z.array(OwnTracker) }),
  },
  ask: {
    summary: 'Ask for a code by which I prove to be a person of a tracker',
    description:
      'Write the code, and nothing else, as a comment on an issue that is linked with a bug here, within an hour. It counts once, in a comment of that person alone, and not in one that was edited. What they do there is done as my account from then on, where no admin named another one. A credential must have been used in this session within ten minutes: 403 reauthentication_required otherwise.',
    method: 'POST',
    kind: 'account',
    path,
    access: signedIn,
    status: 201,
    shownOnce: true,
    // The service is asked who that is, with the token of the instance: that cannot be tried.
    guesses: true,
    audit: [trackerAccountActions.link],
    input: z.object({ service: ServiceField, login: Login }),
    output: z
      .object({
        service: ServiceField,
        login: Person,
        code: textLike('guildhall-link-8f14e45fceea167a5a36dedd4bea2543'),
        expiresAt: Timestamp,
      })
      .meta({ id: 'TrackerCode' }),
    problems: ['not_found', 'conflict', 'rate_limited', 'reauthentication_required', 'unavailable'],
  },
  remove: {
    summary: 'End what acts for me at a tracker, or forget a code',
    description: 'What was written stays. Whom an admin named stays too.',
    method: 'DELETE',
    kind: 'account',
    path: `${path}/{service}`,
    access: signedIn,
    audit: [trackerAccountActions.unlink],
    input: z.object({ service: ServiceField.meta({ description: 'The service' }) }),
    output: z.object({ service: ServiceField }),
    problems: ['not_found'],
  },
} satisfies Contract
