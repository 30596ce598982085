// Mails digests to guests that are due, each in a transaction of its own, so that it is written once. They tell of what everybody sees, as it is now.

import { Problem } from '../../contract/problem.ts'
import { isPrivate } from '../../core/readers.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { required } from '../../runtime/untyped.ts'
import { type Board, findBoard } from '../board-access/boards.ts'
import { boarded } from '../board-access/contract.ts'
import { filtersOf } from '../board-access/listing-queries.ts'
import { isClosed } from '../board-access/rules.ts'
import { listOfBoard } from '../feed/board-queries.ts'
import { kindsOff, pageOfFeed } from '../feed/pages.ts'
import { countNotice } from '../notifications/mailing.ts'
import { dueAt } from '../notifications/mailing-queries.ts'
import { digestTimes } from '../notifications/rules.ts'
import { preview } from '../preview.ts'
import type { BoardedKind } from '../things.ts'
import { guestLetter, type ThingToTell } from './letters.ts'
import * as queries from './queries.ts'
import { ALL, LISTED } from './rules.ts'
import { tokenOf } from './tokens.ts'

interface Sending extends Pick<Dependencies, 'db' | 'clock' | 'outbox' | 'config' | 'secretFor'> {
  boarded: readonly BoardedKind[]
}

const AT_ONCE = 50

/** Mails some digests that are due; gives whether there may be more. */
export async function mailGuests(sending: Sending): Promise<boolean> {
  const now = timestamp(sending.clock.now())
  let count = 0
  for (const { id } of await queries.listDue(sending.db, dueAt(now), AT_ONCE)) {
    try {
      if (await sending.db.transaction().execute((db) => mail(sending, db, { id, now }))) count++
    } catch (error) {
      // The budget of all mails: the rest waits for its next hour.
      if (error instanceof Problem && error.code === 'rate_limited') return false
      throw error
    }
  }
  return count > 0
}

async function mail(sending: Sending, db: Transaction, { id, now }: { id: string; now: string }): Promise<boolean> {
  const { outbox, config, secretFor } = sending
  const digest = await queries.takeDue(db, id, dueAt(now))
  if (!digest) return false
  const board = digest.topic === ALL ? undefined : await findBoard(db, digest.topic)
  if (digest.topic !== ALL && !board) {
    await queries.deleteDigest(db, id)
    return true
  }
  const isOn = config.guestDigest && !isPrivate(config) && !(board && isClosed(board))
  const found = isOn ? await newSince(sending, db, { board, since: digest.toldUntil ?? now }) : []
  if (found.length > 0) {
    await countNotice(sending, db, now)
    const { baseUrl } = config
    const unsubscribeUrl = `${baseUrl}/unsubscribe?token=${await tokenOf(secretFor, 'unsubscribe', id)}`
    const place = board ? `/community/boards/${board.slug}` : '/community'
    const moreUrl = found.length > LISTED ? baseUrl + place : undefined
    const letter = guestLetter({ told: found.slice(0, LISTED), moreUrl, baseUrl, unsubscribeUrl })
    await outbox.enqueue(db, { recipient: digest.email, language: digest.language, unsubscribeUrl, ...letter })
  }
  await queries.updateDigest(db, id, { toldUntil: now, dueAt: digestTimes(now).daily[0] })
  return true
}

/** The newest public things, and one more than the mail names. */
async function newSince(
  { config, boarded: kinds }: Pick<Sending, 'config' | 'boarded'>,
  db: Db,
  { board, since }: { board: Board | undefined; since: string },
): Promise<ThingToTell[]> {
  const range = { offset: 0, limit: LISTED + 1 }
  const without = kindsOff({ config })
  if (!board) {
    const entries = await pageOfFeed(db, { sort: 'latest', without }, range)
    return entries.filter(({ createdAt }) => createdAt > since)
  }
  const types = boarded.filter((one) => !without.includes(one))
  const things = await listOfBoard(db, { sort: 'latest', filters: filtersOf(board), types }, range)
  const urls = new Map(kinds.map((kind) => [kind.type, kind.subject.url]))
  return things
    .filter(({ createdAt }) => createdAt > since)
    .map(({ id, type, title, text }) => ({ title, url: required(urls.get(type))({ id }), preview: preview(text) }))
}
