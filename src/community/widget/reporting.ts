// Reports of guests: counted by network, with a proof of work where the operator wants one, held for a moderator, and made by the one account of guests.
import { ceilingOf, countUnder } from '../../budgets/budgets.ts'
import { lockStoredBytes } from '../../budgets/queries.ts'
import { HOUR } from '../../budgets/rules.ts'
import { storePicture } from '../../content/text-images/storing.ts'
import type { UploadedFile } from '../../contract/files.ts'
import { operationsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import { proofIn } from '../../identity/proof-of-work.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import type { bugs } from '../bugs/contract.ts'
import { guestOf } from './accounts.ts'
import type { widget } from './contract.ts'
import { requireOn } from './on.ts'

/** More than that moderators do not read; a network has a tenth of it. */
export const REPORTS = ceilingOf('widget reports', { tries: 100, windowSeconds: HOUR })

type CreateBug = Handlers<typeof bugs>['create']

/** Makes a bug of a report as bugs are made, by `create`. */
export const reporting =
  (create: CreateBug): Handlers<typeof widget>['report'] =>
  async (context, _input, readForm) => {
    const { config, apart, address, now } = context
    requireOn(config)
    if (operationsOff(config).hasOperation('bugs.create')) throw new Problem('not_found', 'There are no bugs here')
    // Used up with the write; looked at before a file is read.
    if (config.proofOfWork !== 'off') await proofIn(context)
    if (config.rateLimits) await countUnder(apart, REPORTS, { address, now })
    const { fields, files } = await readForm()
    const caller = await guestOf(context)
    const [screenshot] = files.screenshot
    const picture = screenshot ? `\n\n![Screenshot](${await stored(context, caller, screenshot)})` : ''
    const description = `${fields.description}${picture}`
    const { number } = await create({ ...context, caller }, { ...fields, description }, undefined)
    return { number }
  }

/** Guests have the room of one account together. */
async function stored(context: Context, { id: uploaderId }: Caller, file: UploadedFile): Promise<string> {
  const { config } = context
  const spend = async (db: Transaction, size: number) => {
    const { bytes } = await lockStoredBytes(db, uploaderId)
    if (!config.rateLimits || bytes + size <= config.budgets.bytes.verified) return
    throw new Problem('rate_limited', 'Pictures of guests have no room left; send the report without one', {
      retryAfterSeconds: HOUR,
    })
  }
  return (await storePicture(context, file, { uploaderId, spend })).url
}
