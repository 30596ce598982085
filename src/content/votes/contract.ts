// The input and output of a vote, the same for everything one can vote on (interface.md, section 2).
import { z } from 'zod'
import { Id, MyVote, VoteValue } from '../../contract/fields.ts'

export const VoteInput = z.object({ id: Id, value: VoteValue })
export const VoteResult = z.object({ score: z.int(), myVote: MyVote }).meta({ id: 'VoteResult' })
