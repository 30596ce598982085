// What a vote on anything is asked and answers.
import { z } from 'zod'
import { Id, MyVote, VoteValue } from '../../contract/fields.ts'

export const VoteInput = z.object({ id: Id, value: VoteValue })
export const VoteResult = z.object({ score: z.int(), myVote: MyVote }).meta({ id: 'VoteResult' })
