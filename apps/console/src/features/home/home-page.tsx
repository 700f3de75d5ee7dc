import './home.css';
import { Waterline } from '../../shared/ui/waterline.js';
import { Achievements } from './achievements.js';
import { ChatWindow } from './chat-window.js';
import { HeroText } from './hero-text.js';
import { Panels } from './panels.js';
import { Start } from './start.js';
import { Statement } from './statement.js';

/** What the product is, shown by the product (DESIGN §1), and the way in. */
export default function HomePage() {
  return (
    <>
      <section className="hero">
        <div className="wrap">
          <div className="g">
            <HeroText />
            <ChatWindow />
          </div>
          <Achievements />
        </div>
        <Waterline />
      </section>
      <Panels />
      <Start />
      <Statement />
    </>
  );
}
