// The settings that say who gets in: who reads a private instance, how a company provisions accounts, and by which servers tell each other that
// sessions ended.
import { z } from 'zod'
import { GROUPS_EXPECTED, parseGroups } from '../contract/scim-groups.ts'
import { about, domains, groups, issuers, ON_OR_OFF, onOrOff, parsedBy, serviceUrl } from './values.ts'

// The settings of a private instance.

const READERS = ['everyone', 'members'] as const

export const readerSettings = {
  READERS: z.enum(READERS, 'everyone or members').register(about, {
    default: 'everyone',
    live: 'access',
    input: 'choice',
    choices: READERS,
    description:
      'who may read: everyone, or only who is signed in: a [private community](../content/docs/private-community.md)',
  }),
  READER_DOMAINS: domains.clone().register(about, {
    default: '',
    live: 'access',
    input: 'list',
    missing: 'all',
    description:
      'where `READERS` is `members`: those with a proven address of these mail domains, and those of `READER_GROUPS`; moderators and admins always read',
  }),
  READER_GROUPS: groups.register(about, {
    default: '',
    live: 'access',
    input: 'list',
    missing: 'all',
    description:
      'where `READERS` is `members`: those whom the external provider named in one of these groups (claim `groups`) at their last sign-in with it, and those of `READER_DOMAINS`',
  }),
}

export const provisioningSettings = {
  SCIM: onOrOff().register(about, {
    default: 'off',
    live: 'external',
    input: 'choice',
    choices: ON_OR_OFF,
    description:
      'whether a company provisions accounts and groups by [SCIM 2.0](../content/docs/provisioning.md) at `/api/scim/v2`, with a token that an admin makes',
  }),
  SCIM_GROUPS: parsedBy(parseGroups, GROUPS_EXPECTED).register(about, {
    default: '',
    missing: 'groups give nothing',
    live: 'external',
    input: 'lines',
    description:
      'which of its groups give a role or invite to a board: `Moderators = moderator; Owners = admin; Staff = board inner`',
  }),
  SIGNAL_ISSUERS: issuers().register(about, {
    default: 'off',
    live: 'external',
    input: 'list',
    description:
      'whose [signals](../content/docs/provisioning.md#signals) that sessions of an account were revoked (CAEP) are taken at `/api/auth/signals`, with commas between them; `off` takes none',
  }),
  SIGNAL_URL: serviceUrl.optional().register(about, {
    missing: 'none',
    live: 'external',
    description:
      'where such signals of this server are pushed (RFC 8935), when sessions of an account are revoked or it is blocked; a private address is reached where `PRIVATE_SERVICES` names it',
  }),
  SIGNAL_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,2000}$/, '1 to 2000 characters without spaces')
    .optional()
    .register(about, {
      ...{ missing: 'none', live: 'external', description: 'the bearer token for that' },
      ...{ secret: true, sentTo: 'SIGNAL_URL' },
    }),
}
