// Errors of the system that say that there is no room, by its errno: libuv has no name for a quota that is used up (EDQUOT).
import { constants } from 'node:os'
import { detailsOf } from './untyped.ts'

/** Whether a call to the system failed because a quota is used up. */
export const isOverQuota = (error: unknown): boolean => detailsOf(error).errno === -constants.errno.EDQUOT

/** Whether a call to the system failed because the disk is full or a quota is used up. */
export const hasNoRoom = (error: unknown): boolean => detailsOf(error).code === 'ENOSPC' || isOverQuota(error)
