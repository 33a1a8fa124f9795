import { Socket } from 'node:net';
import { type Frame, FrameDecoder } from '../../protocol/frame.js';
import { die } from '../watch/die.js';

const HOST_FD = 0;

/**
 * Reads the host's frames, all that have arrived at a time: a call's cancellation may stand right behind it. When the
 * host is gone or says something that is no frame, this process ends.
 */
export function readFrames(receive: (frames: Frame[]) => void): void {
  const decoder = new FrameDecoder();
  const host = new Socket({ fd: HOST_FD, readable: true, writable: false });
  host.on('data', (chunk: Buffer) => {
    let frames: Frame[];
    try {
      frames = [...decoder.push(chunk)];
    } catch {
      die();
    }
    receive(frames);
  });
  host.on('end', () => die());
  host.on('error', () => die());
  host.on('close', () => die());
}
