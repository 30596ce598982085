// Offers requests to a server at a rate, whether it keeps up or not (an open loop), from a process of its own.
import { fork } from 'node:child_process'
import { join } from 'node:path'

export interface Offer {
  port: number
  /** Requests a second. */
  rate: number
  seconds: number
  /** In turn. `{carried}` in a body is replaced by what `carry` says. */
  requests: { method?: string; path: string; headers?: Record<string, string>; body?: string }[]
  /** They are open before the first request is due. */
  connections: number
  /** A request that is due while every connection is busy waits, or is not sent. */
  whenBusy: 'wait' | 'give up'
  /** Each connection begins with one of the values, and goes on with this field of its last response: a chain of refreshes. */
  carry?: { field: string; values: string[] }
}

export interface Offered {
  /** Requests that were due. */
  offered: number
  /** How long requests were due. */
  seconds: number
  sent: number
  /** With a status below 300; and those of them that were answered before the schedule ended. */
  answered: number
  inTime: number
  /** With 503. */
  shed: number
  /** With any other status. */
  refused: number
  /** Without an answer, because the connection was closed. */
  failed: number
  /** Never, because every connection was busy. */
  unsent: number
  /** Without an answer half a minute after the end. */
  unanswered: number
  /** Every request that was sent, in the order in which they were due, if there were at most 1,000; without an answer its status is 599. */
  course: { status: number; milliseconds: number }[]
  /** What the connections would carry next. */
  carried: string[]
  /** Milliseconds from when a request was due until its answer was there, of those that were answered. */
  latency: { p50: number; p99: number; p999: number; most: number }
}

export interface Offering {
  /** Ends the schedule before its time. */
  stop(): void
  done: Promise<Offered>
}

/** Begins to send. */
export function beginOffer(offer: Offer): Offering {
  const child = fork(join(import.meta.dirname, 'offered-load.ts'), [JSON.stringify(offer)])
  const done = new Promise<Offered>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The process that offers requests ended with ${code}`)))
    child.once('message', (offered) => {
      resolve(offered as Offered)
      child.kill()
    })
  })
  // It may have come to its end by itself.
  return { stop: () => void (child.connected && child.send('stop')), done }
}

/** Sends for as long as the offer says. */
export const offer = (of: Offer): Promise<Offered> => beginOffer(of).done

/** The share of the requests that got no response below 300: their latency is in no percentile. */
export const unansweredShare = ({ answered, offered }: Offered): number => 1 - answered / offered
