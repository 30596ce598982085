// Keeps the language that an account has chosen.
import * as queries from '../identity/account-queries.ts'
import type { Handlers } from '../request/handler.ts'
import { accountOf } from './entry.ts'
import type { language } from './language-contract.ts'

export const handlers: Handlers<typeof language> = {
  async set({ db, caller, now }, { language }) {
    return { user: accountOf(await queries.updateUser(db, caller.id, { language, updatedAt: now })) }
  },
}
