// Challenges for proofs of work (behaviour.md, section 5).
import { z } from 'zod'
import { textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { anyone } from '../../identity/area.ts'

export const challenges = {
  create: {
    summary: 'Get a challenge for a proof of work',
    synonyms: ['proof of work', 'altcha', 'captcha'],
    description:
      'Find `number` from 0 to `maxnumber` with `challenge` = hex of SHA-256(`salt` + number). Send base64 of `{"algorithm", "challenge", "number", "salt", "signature"}` as the header `Proof-Of-Work` within 10 minutes, once. 404 where `PROOF_OF_WORK` is off.',
    method: 'GET',
    path: '/challenge',
    access: anyone,
    input: z.object({}),
    output: z.object({
      algorithm: z.literal('SHA-256'),
      challenge: textLike('5f2c...'),
      maxnumber: z.int().meta({ example: 100_000 }),
      salt: textLike('9be1...?expires=1798761600&'),
      signature: textLike('c01d...'),
    }),
    problems: ['not_found'],
  },
} satisfies Contract
