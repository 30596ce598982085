// The settings by which a company provisions accounts, and by which servers tell each other that sessions ended.
import { GROUPS_EXPECTED, parseGroups } from '../contract/scim-groups.ts'
import { about, ON_OR_OFF, onOrOff, parsedBy } from './values.ts'

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
}
