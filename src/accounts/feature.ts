// Accounts: signing up and in, credentials, deletion and export.

import type { Feature } from '../content/manifest.ts'
import { credentialErasure } from '../identity/erasure.ts'
import { handlers as address } from './address-handlers.ts'
import { handlers as deletion } from './deletion-handlers.ts'
import { handlers as dataExports } from './export-handlers.ts'
import { handlers as external } from './external/handlers.ts'
import { handlers as accounts, languageHandlers as language, usageHandlers as usage } from './handlers.ts'
import { handlers as passkeys } from './passkeys/handlers.ts'
import { handlers as reauthentication } from './reauthentication-handlers.ts'
import { handlers as sessions } from './sessions-handlers.ts'

export const accountsFeature = {
  handlers: {
    accounts,
    passkeys,
    external,
    reauthentication,
    sessions,
    usage,
    language,
    deletion,
    dataExports,
    address,
  },
  erasure: { first: () => [credentialErasure] },
} satisfies Feature
