// `npm run admin -- scim-token`: a token by which a company provisions accounts, made without a browser.
import { scimTokens } from '../community/scim/contract.ts'
import { newScimToken, storeToken } from '../community/scim/scim.ts'
import { systemClock, timestamp } from '../runtime/clock.ts'
import type { Call, Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const scimToken: Command = {
  usage: 'scim-token <name>',
  summary: `makes a token for provisioning by SCIM 2.0 and prints it, once; SCIM=on turns
that on, and admins revoke it at /admin/provisioning`,
  parameters: [1, 1],
  run,
}

async function run({ settings, parameters, output }: Call): Promise<number> {
  const parsed = scimTokens.create.input.safeParse({ name: parameters[0] })
  if (!parsed.success) {
    output.complain('The name has 1 to 60 characters.')
    return 2
  }
  const { name } = parsed.data
  return withAccounts(settings(), async (parts) => {
    const { token, hash } = await newScimToken(parts)
    const now = timestamp(systemClock.now())
    const { id } = await parts.db.transaction().execute((db) => storeToken(db, { name, hash, actorId: null, now }))
    const where = `${parts.config.baseUrl}/api/scim/v2`
    output.result({ id, name, token, url: where }, `${token}\nis the token for ${where}. It is not shown again.`)
    return 0
  })
}
