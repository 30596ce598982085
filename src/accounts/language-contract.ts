// The language of an account: of the pages that its owner sees, and of the mails that it gets.
import { z } from 'zod'
import { LanguageOrNull } from '../contract/fields.ts'
import type { Contract } from '../contract/operation.ts'
import { signedIn } from '../identity/area.ts'
import { SignedIn } from './contract.ts'

export const language = {
  set: {
    summary: 'Choose the language of my pages and mails',
    description: 'null leaves pages to what the browser prefers; mails are in English then.',
    method: 'POST',
    kind: 'account',
    path: '/account/language',
    access: signedIn,
    input: z.object({ language: LanguageOrNull }),
    output: SignedIn,
  },
} satisfies Contract
