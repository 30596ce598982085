// The settings by which a company provisions accounts, and by which servers tell each other that sessions ended.
import { z } from 'zod'
import { GROUPS_EXPECTED, parseGroups } from '../contract/scim-groups.ts'
import { about, issuers, ON_OR_OFF, onOrOff, parsedBy, serviceUrl } from './values.ts'

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
