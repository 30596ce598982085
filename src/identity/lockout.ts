// No setting locks every admin out. What a setting asks of people, one admin must have before it holds; the environment is the operator's own way back.
import type { Config } from '../config/config.ts'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import { findLastChange } from '../settings/queries.ts'
import { hasAdminAt } from './external-queries.ts'
import { hasAdminWithPasskey } from './passkey-queries.ts'

type SignInRules = Pick<Config, 'signIn' | 'external' | 'rolesNeedPasskey'>

/** Throws where no admin could sign in any more, or act as one. */
export async function keepAdminsIn(db: Transaction, { was, is }: { was: SignInRules; is: SignInRules }): Promise<void> {
  if (is.signIn === 'external' && is.external !== undefined) await keepExternalAdmin(db, { was, is: is.external })
  if (is.rolesNeedPasskey && !was.rolesNeedPasskey && !(await hasAdminWithPasskey(db)))
    throw new Problem(
      'conflict',
      'ROLES_NEED_PASSKEY: no admin has a passkey; add one to the account of an admin first',
    )
}

/** The settings of the provider. An admin has used them as they are now before they are the only way in, and they stay while they are. */
const PROVIDER = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']

async function keepExternalAdmin(
  db: Transaction,
  { was, is }: { was: SignInRules; is: NonNullable<SignInRules['external']> },
): Promise<void> {
  const { issuer, clientId, clientSecret } = was.external ?? {}
  const isSame = issuer === is.issuer && clientId === is.clientId && clientSecret === is.clientSecret
  if (isSame && was.signIn === 'external') return
  if (was.signIn === 'external')
    throw new Problem(
      'conflict',
      'SIGN_IN: set it to any before you change the provider, and back when an admin tried it',
    )
  if (!isSame || !(await hasAdminAt(db, is.issuer, await findLastChange(db, PROVIDER))))
    throw new Problem('conflict', NO_EXTERNAL_ADMIN)
}

const NO_EXTERNAL_ADMIN =
  'SIGN_IN: no admin could sign in any more; connect an account of the provider to that of an admin first, or sign in with it'
